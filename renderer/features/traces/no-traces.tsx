/** Empty list: names the condition that excludes all rows. */
import { useQueries } from '@tanstack/react-query';
import { gateway } from '../../api/client.ts';
import { clausesOf, withoutClause } from '../../model/filter/filter-text.ts';
import { plural } from '../../model/text/format.ts';
import { rangeLabel } from '../../model/time/time-range.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { changedView, isNarrowed, listKeyOf, narrowingOf, plainConditions, type TracesView } from './url.ts';

interface Way {
  condition: string;
  view: TracesView;
}

/** The list without each one of its conditions. */
function waysOut(view: TracesView): Way[] {
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
    ? [{ condition: rangeLabel(view), view: changedView(view, { last: undefined, from: undefined, to: undefined }) }]
    : [];
  return [...clauses, ...plain, ...time];
}

export function NoTraces(given: NoTracesProps) {
  const { view, folded, onView } = given;
  if (folded === 0 || isNarrowed(view)) return <NothingMatches {...given} />;
  return (
    <EmptyState
      title="Only bookkeeping so far"
      action={<Button onClick={() => onView(changedView(view, { bookkeeping: 'include' }))}>Show bookkeeping</Button>}
    >
      {`${plural(folded, 'trace')} of a coding agent's own runtime: it started and read its settings, and was asked nothing yet.`}
    </EmptyState>
  );
}

interface NoTracesProps {
  view: TracesView;
  /** Traces that the list leaves out. */
  folded: number;
  onView: (view: TracesView) => void;
}

function NothingMatches({ view, onView }: NoTracesProps) {
  const ways = waysOut(view);
  const counts = useQueries({
    queries: ways.map((way) => ({
      queryKey: ['traces', 'without', listKeyOf(way.view)],
      queryFn: async () => (await gateway.traceList.rows({ query: { ...narrowingOf(way.view, Date.now()), limit: 1 } })).data.total,
    })),
  });
  const found = ways.map((way, i) => ({ ...way, total: counts[i]?.data ?? null })).sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
  return (
    <EmptyState title="No trace matches" action={<Button onClick={() => onView({})}>Clear all conditions</Button>}>
      A trace that matches appears here as soon as it arrives.
      <span className="mt-2 grid gap-1 text-left">
        {found.map(({ condition, view: wider, total }) => (
          <button
            key={condition}
            type="button"
            disabled={total === 0}
            onClick={() => onView(wider)}
            className="flex h-row items-center gap-2 rounded-control border border-line px-2 text-row enabled:hover:bg-hover"
          >
            <span className="shrink-0 text-fg-3">drop</span>
            <span className="min-w-0 flex-1 truncate text-left font-mono text-fg-2">{condition}</span>
            <span className="num text-fg-3">{total === null ? '…' : plural(total, 'trace')}</span>
          </button>
        ))}
      </span>
    </EmptyState>
  );
}
