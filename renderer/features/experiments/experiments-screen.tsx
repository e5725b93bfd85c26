import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button, linkButton } from '../../ui/primitives/button.tsx';
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
import { RunMenu } from './run-menu.tsx';
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
  const [selected, setSelected] = useState<readonly string[]>([]);
  const show = (search: ExperimentsView) => void navigate({ to: '/experiments', search });
  const changeFilter = (change: Partial<ExperimentsView>) => show(readExperimentsUrl({ ...view, page: undefined, ...change }));
  const toggle = (id: string) =>
    setSelected((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id].slice(-comparedMax)));
  // The oldest selected run is the baseline.
  const rows = experiments.data?.data ?? [];
  const oldestFirst = [...selected].sort((a, b) => rows.findIndex(({ id }) => id === b) - rows.findIndex(({ id }) => id === a));
  const compare = () => selected.length > 1 && show({ compare: comparedText(oldestFirst) });
  useKeys('Experiments', [{ on: ['c'], label: 'Compare the selected runs', run: compare }]);
  return (
    <>
      <title>Experiments · Glasshouse</title>
      <ScreenHeader title="Experiments">
        {view.prompt !== undefined && (
          <Pill title="Show all prompts" onClick={() => changeFilter({ prompt: undefined })}>{`Prompt: ${view.prompt} ×`}</Pill>
        )}
        {view.dataset !== undefined && (
          <Pill title="Show all datasets" onClick={() => changeFilter({ dataset: undefined })}>{`Dataset: ${view.dataset} ×`}</Pill>
        )}
        <span className="ml-auto flex items-center gap-3">
          <Text tone="dim">{selected.length === 0 ? 'Select two or three to compare' : `${selected.length} selected`}</Text>
          <Button hint="c" disabled={selected.length < 2} onClick={compare}>
            Compare
          </Button>
          <RunMenu />
        </span>
      </ScreenHeader>
      {experiments.isError && !experiments.data ? (
        <FailedState
          failure={asFailure(experiments.error, 'The experiments could not be loaded')}
          onRetry={() => void experiments.refetch()}
        />
      ) : (
        <DataList
          label="Experiments"
          columns={experimentColumns(selected, toggle)}
          rows={rows}
          onOpen={({ id }) => show({ id })}
          listKey={JSON.stringify(view)}
        >
          {experiments.data ? (
            <NoExperiments isFiltered={Object.values(view).some((value) => value !== undefined)} onClear={() => show({})} />
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

function NoExperiments({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState title="No experiments match" action={<Button onClick={onClear}>Show all</Button>}>
        There may be experiments with other prompts or datasets.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No experiments yet"
      action={
        <Link to="/datasets" className={linkButton}>
          Open datasets
        </Link>
      }
    >
      An experiment is a dataset run through a prompt or an agent, with the scores, costs and latencies of all items. It appears with the
      first trace that has the attribute agentmark.dataset_run_id, which experiment runners set.
    </EmptyState>
  );
}
