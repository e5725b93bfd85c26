import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ExperimentDetail } from '../../../shared/contract/evaluation/experiments.ts';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { cost, count, duration, tokens } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { linkButton } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Split } from '../../ui/primitives/split.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { itemColumns } from './columns.tsx';
import { meanScores } from './compare.ts';
import { useExperiment, useRun } from './experiments-query.ts';
import { ItemDetail } from './item-detail.tsx';
import { RunLine } from './run-line.tsx';

/** One run: totals, items and the selected item. */
export function ExperimentPage({ id, item }: { id: string; item: string | undefined }) {
  const run = useExperiment(id);
  const progress = useRun(id);
  const navigate = useNavigate();
  const rows = useMemo(() => run.data?.items.map((runItem) => ({ ...runItem, id: runItem.traceId })) ?? [], [run.data]);
  const names = useMemo(() => [...meanScores(rows).keys()].sort(), [rows]);
  const columns = useMemo(() => itemColumns(id, names), [id, names]);
  const open = rows.find((row) => row.id === item) ?? rows[0];
  const show = (next: string | undefined) => void navigate({ to: '/experiments', search: { id, item: next }, replace: true });
  useBack('Experiment', '/experiments', item === undefined ? null : () => show(undefined));
  return (
    <>
      <title>{`${run.data?.name ?? id} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/experiments">Experiments</Link>} title={run.data?.name ?? id} />
      {progress.data && <RunLine run={progress.data} />}
      {run.data && <Facts run={run.data} />}
      {run.isError && !run.data ? (
        isNotFound(run.error) ? (
          <EmptyState
            title="Experiment not found"
            action={
              <Link to="/experiments" className={linkButton}>
                All experiments
              </Link>
            }
          >
            No trace has this dataset run ID, or its traces were removed.
          </EmptyState>
        ) : (
          <FailedState failure={asFailure(run.error, 'The experiment could not be loaded')} onRetry={() => void run.refetch()} />
        )
      ) : (
        <Split
          isDetailWanted={item !== undefined}
          index={
            <DataList label="Items" columns={columns} rows={rows} selected={open?.id ?? null} onOpen={(row) => show(row.id)} listKey={id}>
              {run.data ? <NoItems /> : <SkeletonRows label="Loading the items" />}
            </DataList>
          }
          detail={open && <ItemDetail name={open.itemName} runs={[{ label: 'Output', item: open }]} onClose={() => show(undefined)} />}
        />
      )}
    </>
  );
}

function Facts({ run }: { run: ExperimentDetail }) {
  const scores = [...meanScores(run.items)].map(([name, mean]): [string, string] => [name, scoreText(mean)]);
  const facts: [string, string][] = [
    ['Items', count(run.itemCount)],
    ...scores,
    ['Mean latency', duration(milliseconds(run.avgLatencyMs))],
    ['Tokens', run.totalTokens ? tokens(run.totalTokens) : '—'],
    ['Cost', run.totalCost > 0 ? cost(run.totalCost) : '—'],
    ...(run.promptName ? [['Prompt', run.promptName] as [string, string]] : []),
    ...(run.datasetPath ? [['Dataset', run.datasetPath] as [string, string]] : []),
    ...(run.commitSha ? [['Commit', run.commitSha.slice(0, 8)] as [string, string]] : []),
  ];
  return <FactsLine facts={facts} />;
}

const NoItems = () => (
  <EmptyState
    title="No completed items yet"
    action={
      <Link to="/traces" className={linkButton}>
        Open the traces
      </Link>
    }
  >
    Each item of the dataset is listed here when its trace has ended. What is running now is in the list of traces.
  </EmptyState>
);
