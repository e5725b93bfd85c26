/** Empty list: offers to remove the condition that excludes all rows. */
import { useQueries } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import { clausesOf, withoutClause } from '../../model/filter/filter-text.ts';
import { count, plural } from '../../model/text/format.ts';
import { rangeLabel, rangeWords } from '../../model/time/time-range.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { changedView, isNarrowed, listKeyOf, narrowingOf, plainConditions, type TracesView } from './url.ts';

interface Relaxation {
  condition: string;
  /** Whether it is the time range. */
  isTime?: boolean;
  view: TracesView;
}

/** Views with one of the conditions removed. */
function relaxations(view: TracesView): Relaxation[] {
  const clauses = clausesOf(view.filter ?? '').map((condition, at) => ({
    condition,
    view: changedView(view, { filter: withoutClause(view.filter ?? '', at) || undefined }),
  }));
  const plain = plainConditions.flatMap((key) =>
    view[key] === undefined ? [] : [{ condition: `${key} = ${view[key]}`, view: changedView(view, { [key]: undefined }) }],
  );
  const { last, from, to } = view;
  const isTimed = last !== undefined || from !== undefined || to !== undefined;
  const time = isTimed
    ? [{ condition: rangeLabel(view), isTime: true, view: changedView(view, { last: undefined, from: undefined, to: undefined }) }]
    : [];
  return [...clauses, ...plain, ...time];
}

export function NoTraces(props: NoTracesProps) {
  const { view, hiddenCount, onView } = props;
  if (hiddenCount === 0 || isNarrowed(view)) return <NothingMatches {...props} />;
  return (
    <EmptyState
      title="Only bookkeeping traces so far"
      action={<Button onClick={() => onView(changedView(view, { bookkeeping: 'include' }))}>Show bookkeeping</Button>}
    >
      {`${plural(hiddenCount, 'trace')} of a coding agent's own runtime: it has started and read its settings, but has no task yet.`}
    </EmptyState>
  );
}

interface NoTracesProps {
  view: TracesView;
  /** Number of hidden bookkeeping traces. */
  hiddenCount: number;
  onView: (view: TracesView) => void;
}

/** `Nothing matches in the last 7 days`. */
function nothingMatches({ last, from, to }: TracesView): string {
  if (last) return `Nothing matches in the ${rangeWords(last).toLowerCase()}`;
  if (from === undefined && to === undefined) return 'Nothing matches';
  const range = rangeLabel({ from, to });
  return from !== undefined && to !== undefined ? `Nothing matches in ${range}` : `Nothing matches ${range}`;
}

function NothingMatches({ view, onView }: NoTracesProps) {
  const options = relaxations(view);
  const counts = useQueries({
    queries: options.map((option) => ({
      queryKey: ['traces', 'without', listKeyOf(option.view)],
      queryFn: async () => (await gateway.traceList.rows({ query: { ...narrowingOf(option.view, Date.now()), limit: 1 } })).data.total,
    })),
  });
  const counted = options
    .map((option, i) => ({ ...option, total: counts[i]?.data ?? null }))
    .sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
  const ever = counted.find(({ isTime }) => isTime);
  const others = counted.filter(({ isTime }) => !isTime);
  return (
    <EmptyState
      title={nothingMatches(view)}
      action={
        <>
          {ever && ever.total !== 0 && <Button onClick={() => onView(ever.view)}>Search all time</Button>}
          <Button onClick={() => onView({})}>Clear all filters</Button>
        </>
      }
    >
      {ever?.total
        ? `${plural(ever.total, 'trace')} ${ever.total === 1 ? 'matches' : 'match'} in all time.`
        : 'Matching traces appear here as they arrive.'}
      <span className="mt-2 grid grid-cols-1 gap-1 text-left">
        {others.map(({ condition, view: relaxed, total }) => (
          <button
            key={condition}
            type="button"
            disabled={total === 0}
            title={`Remove ${condition}`}
            onClick={() => onView(relaxed)}
            className="flex h-row items-center gap-2 rounded-control border border-line px-2 text-row enabled:hover:bg-hover"
          >
            <span className="min-w-0 flex-1 truncate text-left font-mono text-fg-2">{condition}</span>
            <span className="num shrink-0 text-fg-3">{`without it: ${total === null ? '…' : count(total)}`}</span>
          </button>
        ))}
      </span>
    </EmptyState>
  );
}
