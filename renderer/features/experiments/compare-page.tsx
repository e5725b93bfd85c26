import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ExperimentDetail } from '../../../shared/contract/evaluation/experiments.ts';
import { asFailure } from '../../api/failure.ts';
import { count } from '../../model/text/format.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Split } from '../../ui/primitives/split.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useBack } from '../../ui/primitives/use-back.ts';
import { type ComparedItem, compareRuns } from './compare.ts';
import { compareColumns } from './compare-columns.tsx';
import { useRuns } from './experiments-query.ts';
import { ItemDetail } from './item-detail.tsx';
import { RunTable } from './run-table.tsx';
import { comparedText } from './url.ts';

/** Compares runs with the first of them, the baseline: totals, and items with regressions on top. */
export function ComparePage({ ids, item }: { ids: readonly string[]; item: string | undefined }) {
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/experiments', search: { compare: comparedText(ids) }, replace: true });
  useBack('Comparison', '/experiments', item === undefined ? null : close);
  const queries = useRuns(ids);
  const failed = queries.find(({ isError, data }) => isError && !data);
  const runs = queries.flatMap(({ data }) => data ?? []);
  const isComplete = runs.length === ids.length;
  return (
    <>
      <title>Compare experiments · Glasshouse</title>
      <DetailHeader parent={<Link to="/experiments">Experiments</Link>} title="Compare" />
      {failed ? (
        <FailedState failure={asFailure(failed.error, 'A run could not be loaded')} onRetry={() => void failed.refetch()} />
      ) : isComplete && runs.length > 0 ? (
        <Compared runs={runs} item={item} />
      ) : (
        <SkeletonRows label="Loading the runs" />
      )}
    </>
  );
}

const verdictCounts = (items: readonly ComparedItem[]) =>
  (['regressed', 'improved', 'changed', 'same', 'incomplete'] as const)
    .map((verdict) => ({ verdict, times: items.filter((compared) => compared.verdict === verdict).length }))
    .filter(({ times }) => times > 0);

function Compared({ runs, item }: { runs: readonly ExperimentDetail[]; item: string | undefined }) {
  const navigate = useNavigate();
  const ids = runs.map(({ id }) => id);
  const items = useMemo(() => compareRuns(runs), [runs]);
  const columns = useMemo(() => compareColumns(runs, items), [runs, items]);
  const open = items.find(({ id }) => id === item) ?? items[0];
  const show = (order: readonly string[], next: string | undefined) =>
    void navigate({ to: '/experiments', search: { compare: comparedText(order), item: next }, replace: true });
  return (
    <>
      <RunTable runs={runs} onBaseline={(id) => show([id, ...ids.filter((other) => other !== id)], undefined)} />
      <div className="flex h-row shrink-0 items-center gap-4 border-line border-b px-pad">
        {verdictCounts(items).map(({ verdict, times }) => (
          <Text key={verdict} tone={verdict === 'regressed' ? 'err' : verdict === 'improved' ? 'ok' : 'dim'}>
            {`${count(times)} ${verdict === 'incomplete' ? 'not in every run' : verdict === 'same' ? 'unchanged' : verdict}`}
          </Text>
        ))}
      </div>
      <Split
        isDetailWanted={item !== undefined}
        index={
          <DataList
            label="Items, regressions first"
            columns={columns}
            rows={items}
            selected={open?.id ?? null}
            onOpen={({ id }) => show(ids, id)}
            listKey={ids.join()}
          />
        }
        detail={
          open && (
            <ItemDetail
              name={open.name}
              runs={open.items.flatMap((runItem, i) => (runItem ? [{ label: runs[i]?.name ?? '', item: runItem }] : []))}
              missing={open.items.flatMap((runItem, i) => (runItem ? [] : [runs[i]?.name ?? '']))}
              onClose={() => show(ids, undefined)}
            />
          )
        }
      />
    </>
  );
}
