import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { asFailure } from '../../api/failure.ts';
import { problemOf } from '../../model/filter/filter-text.ts';
import { plural } from '../../model/text/format.ts';
import { NewRows } from '../../ui/lists/list-screen.tsx';
import { SparseList } from '../../ui/lists/sparse-list.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Facets } from './facets.tsx';
import { FoldedTraces } from './folded-traces.tsx';
import { ListBar } from './list-bar.tsx';
import { NoTraces } from './no-traces.tsx';
import { OverTimeStrip } from './over-time-strip.tsx';
import { PlainConditions } from './plain-conditions.tsx';
import { useTraceRows } from './rows-query.ts';
import { SelectionBar } from './selection-bar.tsx';
import { changedView, currentSort, isNarrowed, sortedBy, type TracesView } from './url.ts';
import { useColumns } from './use-columns.ts';
import { useMarks } from './use-marks.ts';
import { WrongFilter } from './wrong-filter.tsx';

const route = getRouteApi('/traces');
const nothing: readonly ListedTrace[] = [];

interface TracesScreenProps {
  /** Stands where the list will be, until the first span has arrived. */
  firstRun: ReactNode;
  /** A trace beside the list. */
  panel: (traceId: string, onClose: () => void) => ReactNode;
}

export function TracesScreen({ firstRun, panel }: TracesScreenProps) {
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = useCallback((search: TracesView, replace = false) => void navigate({ to: '/traces', search, replace }), [navigate]);
  const problem = problemOf(view.filter ?? '');
  const list = useTraceRows(view, problem === null);
  const columns = useColumns();
  const marks = useMarks(list.rows?.loaded ?? nothing);
  const [isFaceted] = usePreference(preference.facetsShown);
  const { sort_by, sort_order } = currentSort(view);
  const rows = list.rows;

  if (rows?.total === 0 && rows.folded === 0 && !isNarrowed(view) && !list.isOther) return firstRun;
  const bar = (
    <div className="flex h-row shrink-0 items-center gap-2 border-line border-b px-pad text-fg-3 text-label">
      <span className="shrink-0 tabular-nums">{rows ? plural(rows.total, 'trace') : ' '}</span>
      <PlainConditions view={view} onView={show} />
      <FoldedTraces view={view} folded={rows?.folded ?? 0} onView={show} />
      <NewRows count={list.waiting} onShow={list.showWaiting} isOld={list.error !== null && rows !== null} onRefresh={list.retry} />
    </div>
  );
  return (
    <>
      <title>Traces · Glasshouse</title>
      <ListBar view={view} columns={columns} onView={show} />
      <OverTimeStrip
        view={view}
        isAsked={problem === null}
        onRange={({ from, to }) => show(changedView(view, { last: undefined, from, to }))}
      />
      <div className="flex min-h-0 flex-1">
        {isFaceted && <Facets view={view} isAsked={problem === null} onView={show} />}
        <div className="flex min-w-0 flex-1 flex-col">
          {problem ? (
            <>
              {bar}
              <WrongFilter filter={view.filter ?? ''} problem={problem} onClear={() => show(changedView(view, { filter: undefined }))} />
            </>
          ) : list.error && !rows ? (
            <>
              {bar}
              <FailedState failure={asFailure(list.error, 'The traces could not be listed')} onRetry={list.retry} />
            </>
          ) : (
            <SparseList
              label="Traces"
              bar={bar}
              columns={columns.columns}
              total={rows?.total ?? 0}
              rowAt={rows?.rowAt ?? (() => undefined)}
              sort={{ by: sort_by, order: sort_order }}
              onSort={(by) => show(sortedBy(view, by))}
              onOpen={(trace) => show({ ...view, peek: trace.id })}
              onWidth={columns.setWidth}
              isMarked={marks.isMarked}
              onMark={marks.mark}
              selected={view.peek ?? null}
              onAttention={list.attend}
              onSight={list.setSight}
              listKey={list.listKey}
              isOther={list.isOther}
            >
              {rows ? <NoTraces view={view} folded={rows.folded} onView={show} /> : <SkeletonRows label="Loading traces" />}
            </SparseList>
          )}
          {marks.marked.size > 0 && <SelectionBar marked={marks.marked} onClear={marks.clear} />}
        </div>
      </div>
      {view.peek !== undefined && panel(view.peek, () => show(changedView(view, { peek: undefined })))}
    </>
  );
}
