import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useMay } from '../../api/identity.ts';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { BudgetList } from './budget-list.tsx';
import { SpendingBody } from './spending-body.tsx';
import { useSpending } from './spending-query.ts';
import { type Range, ranges, type SpendingView } from './url.ts';
import { rangeNames } from './words.ts';

const route = getRouteApi('/spending');
const choices = ranges.map((id) => ({ id, label: rangeNames[id] }));

/** What model calls cost, by project, day, model and agent. */
export function SpendingScreen() {
  const view = route.useSearch();
  const { range = '30d', by = 'project' } = view;
  const navigate = useNavigate();
  const [isSetting, setSetting] = useState(false);
  const mayWrite = useMay()('trace.write');
  const { data, error, refetch } = useSpending(range);
  const show = (next: SpendingView) => void navigate({ to: '/spending', search: next, replace: true });
  const setRange = (id: Range) => show({ ...(id !== '30d' && { range: id }), ...(view.by && { by: view.by }) });
  return (
    <>
      <title>Spending · Glasshouse</title>
      <ScreenHeader title="Spending">
        <Segmented label="Time" options={choices} value={range} onChange={setRange} />
        {mayWrite && data && (
          <Button className="ml-auto" onClick={() => setSetting(true)}>
            Set a budget…
          </Button>
        )}
      </ScreenHeader>
      {data && (data.spending.total.calls > 0 || data.spending.windows.length > 0) ? (
        <SpendingBody
          data={data}
          range={data.range}
          by={by}
          onBy={(id) => show({ ...(view.range && { range: view.range }), ...(id !== 'project' && { by: id }) })}
        />
      ) : data ? (
        <>
          <BudgetList />
          <Nothing range={data.range} onLonger={() => setRange('365d')} />
        </>
      ) : error ? (
        <FailedState failure={asFailure(error, 'The spending could not be loaded')} onRetry={() => void refetch()} />
      ) : (
        <div className="p-pad">
          <SkeletonCards label="Loading the spending" />
        </div>
      )}
      {isSetting && data && <BudgetDialog projects={data.spending.projects} onClose={() => setSetting(false)} />}
    </>
  );
}

const Nothing = ({ range, onLonger }: { range: Range; onLonger: () => void }) => (
  <EmptyState
    title={`No model calls in the last ${rangeNames[range]}`}
    action={
      <>
        {range !== '365d' && <Button onClick={onLonger}>Show 365 days</Button>}
        <Link to="/setup" className={linkButton}>
          Show the history of agents
        </Link>
      </>
    }
  >
    What model calls cost is summed up here by project, day, model and agent. Coding agents on this machine keep a history that can be
    shown.
  </EmptyState>
);
