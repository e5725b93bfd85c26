import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { activityBreakdowns } from '../../../shared/contract/viewer/activity-shape.ts';
import { asFailure } from '../../api/failure.ts';
import { searchedFilter } from '../../model/filter/searched-filter.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { useActivity } from './activity-query.ts';
import { ChartMenu } from './chart-menu.tsx';
import { Overview } from './overview.tsx';
import { usePinnedCharts } from './pinned-charts.ts';
import { TimeChoice } from './time-choice.tsx';
import { changedView, type DashboardView } from './url.ts';

const route = getRouteApi('/dashboard');

interface DashboardScreenProps {
  /** The search line of the list of traces. */
  searchLine: (view: DashboardView, onFilter: (filter: string | undefined) => void) => ReactNode;
}

export function DashboardScreen({ searchLine }: DashboardScreenProps) {
  const view = route.useSearch();
  const navigate = useNavigate();
  const [pinned, setPinned] = usePinnedCharts();
  const show = (change: { [K in keyof DashboardView]?: DashboardView[K] | undefined }) =>
    void navigate({ to: '/dashboard', search: changedView(view, change), replace: true });
  const { filter, problem } = searchedFilter(view.filter ?? '');
  const searched = changedView(view, { filter });
  const { data, error, refetch, dataUpdatedAt } = useActivity(searched, problem === null);
  const by = view.by ?? 'model';
  useKeys('Dashboard', [
    {
      on: ['b'],
      label: 'Break down by the next one',
      run: () => show({ by: activityBreakdowns[(activityBreakdowns.indexOf(by) + 1) % activityBreakdowns.length] }),
    },
  ]);
  const isCompared = view.compare !== 'off';
  return (
    <>
      <title>Dashboard · Glasshouse</title>
      <ScreenHeader title="Dashboard">
        {searchLine(view, (filter) => show({ filter }))}
        <TimeChoice view={view} onTime={(time) => show({ range: undefined, from: undefined, to: undefined, ...time })} />
        <Button
          pressed={isCompared}
          title="Compare with the same length of time before"
          onClick={() => show({ compare: isCompared ? 'off' : undefined })}
        >
          Compare<span className="max-sidebar:hidden"> with before</span>
        </Button>
        <ChartMenu pinned={pinned} onPinned={setPinned} />
      </ScreenHeader>
      {problem ? (
        <EmptyState title="This filter cannot be read">{`${problem.message} · at character ${problem.position + 1}`}</EmptyState>
      ) : error && !data ? (
        <FailedState failure={asFailure(error, 'The dashboard could not be loaded')} onRetry={() => void refetch()} />
      ) : !data ? (
        <div className="p-pad">
          <SkeletonCards label="Loading the dashboard" />
        </div>
      ) : (
        <Overview
          view={searched}
          data={data}
          updatedAt={dataUpdatedAt}
          pinned={pinned}
          onPinned={setPinned}
          onBy={(next) => show({ by: next === 'model' ? undefined : next })}
          onFilter={(filter) => show({ filter })}
        />
      )}
    </>
  );
}
