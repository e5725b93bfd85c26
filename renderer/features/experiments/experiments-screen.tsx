import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { Pill } from '../../ui/primitives/pill.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { experimentColumns } from './columns.tsx';
import { ComparePage } from './compare-page.tsx';
import { ExperimentPage } from './experiment-page.tsx';
import { experimentPageSize, useExperiments } from './experiments-query.ts';
import { comparedIds, comparedMax, comparedText, type ExperimentsView, readExperimentsUrl } from './url.ts';

const route = getRouteApi('/experiments');

export function ExperimentsScreen() {
  const view = route.useSearch();
  if (view.compare !== undefined) return <ComparePage ids={comparedIds(view.compare)} item={view.item} />;
  if (view.id !== undefined) return <ExperimentPage id={view.id} item={view.item} />;
  return <ExperimentList view={view} />;
}

function ExperimentList({ view }: { view: ExperimentsView }) {
  const navigate = useNavigate();
  const experiments = useExperiments(view);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const show = (search: ExperimentsView) => void navigate({ to: '/experiments', search });
  const narrow = (change: Partial<ExperimentsView>) => show(readExperimentsUrl({ ...view, page: undefined, ...change }));
  const toggle = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-comparedMax)));
  // The oldest selected run is the baseline.
  const rows = experiments.data?.data ?? [];
  const inTime = [...chosen].sort((a, b) => rows.findIndex(({ id }) => id === b) - rows.findIndex(({ id }) => id === a));
  const compare = () => chosen.length > 1 && show({ compare: comparedText(inTime) });
  useKeys('Experiments', [{ on: ['c'], label: 'Compare the selected runs', run: compare }]);
  return (
    <>
      <title>Experiments · Glasshouse</title>
      <ScreenHeader title="Experiments">
        {view.prompt !== undefined && (
          <Pill title="Show all prompts" onClick={() => narrow({ prompt: undefined })}>{`prompt ${view.prompt} ×`}</Pill>
        )}
        {view.dataset !== undefined && (
          <Pill title="Show all datasets" onClick={() => narrow({ dataset: undefined })}>{`dataset ${view.dataset} ×`}</Pill>
        )}
        <span className="ml-auto flex items-center gap-3">
          <Text tone="dim">{chosen.length === 0 ? `Choose two or three to compare` : `${chosen.length} chosen`}</Text>
          <Button hint="c" disabled={chosen.length < 2} onClick={compare}>
            Compare
          </Button>
        </span>
      </ScreenHeader>
      {experiments.isError && !experiments.data ? (
        <FailedState
          failure={asFailure(experiments.error, 'The experiments could not be listed')}
          onRetry={() => void experiments.refetch()}
        />
      ) : (
        <DataList
          label="Experiments"
          columns={experimentColumns(chosen, toggle)}
          rows={rows}
          onOpen={({ id }) => show({ id })}
          listKey={JSON.stringify(view)}
        >
          {experiments.data ? (
            <NoExperiments isNarrowed={Object.values(view).some((value) => value !== undefined)} onClear={() => show({})} />
          ) : (
            <SkeletonRows label="Loading experiments" />
          )}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={experimentPageSize}
        total={experiments.data?.pagination.total ?? null}
        noun="experiments"
        onPage={(page) => show(readExperimentsUrl({ ...view, page }))}
      />
    </>
  );
}

function NoExperiments({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed) return <EmptyState title="No experiment matches" action={<Button onClick={onClear}>Show all</Button>} />;
  return (
    <EmptyState title="No experiment yet">
      Run a prompt over a dataset: the traces that carry one dataset run id (the attribute agentmark.dataset_run_id, which experiment
      runners set) become one experiment here, with their scores, costs and times. Nothing needs to be made first.
    </EmptyState>
  );
}
