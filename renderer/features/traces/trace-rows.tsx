import type { ReactNode } from 'react';
import type { TraceMatch } from '../../../shared/contract/tracing/trace-matches.ts';
import { SparseList } from '../../ui/lists/sparse-list.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { NoTraces } from './no-traces.tsx';
import type { useTraceRows } from './rows-query.ts';
import { SecondLine } from './second-line.tsx';
import { currentSort, sortedBy, type TracesView } from './url.ts';
import type { useColumns } from './use-columns.ts';
import type { useSelection } from './use-selection.ts';

interface TraceRowsProps {
  view: TracesView;
  list: ReturnType<typeof useTraceRows>;
  matches: ReadonlyMap<string, TraceMatch>;
  bar: ReactNode;
  columns: ReturnType<typeof useColumns>;
  selection: ReturnType<typeof useSelection>;
  onView: (view: TracesView) => void;
}

/** The traces of the list. */
export function TraceRows({ view, list, matches, bar, columns, selection, onView: show }: TraceRowsProps) {
  const { sort_by, sort_order } = currentSort(view);
  const { rows } = list;
  return (
    <SparseList
      label="Traces"
      bar={bar}
      columns={columns.columns}
      total={rows?.total ?? 0}
      rowAt={rows?.rowAt ?? (() => undefined)}
      secondLine={(trace) => <SecondLine trace={trace} match={matches.get(trace.id)} />}
      sort={{ by: sort_by, order: sort_order }}
      onSort={(by) => show(sortedBy(view, by))}
      onOpen={(trace) => show({ ...view, peek: trace.id })}
      onWidth={columns.setWidth}
      isMarked={selection.isSelected}
      onMark={selection.select}
      selected={view.peek ?? null}
      onAttention={list.setReading}
      onSight={list.setVisible}
      listKey={list.listKey}
      isOther={list.isOther}
    >
      {rows ? <NoTraces view={view} hiddenCount={rows.hiddenCount} onView={show} /> : <SkeletonRows label="Loading traces" />}
    </SparseList>
  );
}
