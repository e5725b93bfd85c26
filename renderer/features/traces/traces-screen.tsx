import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { asFailure } from '../../api/failure.ts';
import { problemOf } from '../../model/filter/filter-text.ts';
import { plural } from '../../model/text/format.ts';
import { NewRows } from '../../ui/lists/list-screen.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { BookkeepingToggle } from './bookkeeping-toggle.tsx';
import { DeleteMatching } from './delete-matching.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { Facets } from './facets.tsx';
import { InvalidFilter } from './invalid-filter.tsx';
import { ListBar } from './list-bar.tsx';
import { OverTimeStrip } from './over-time-strip.tsx';
import { PlainConditions } from './plain-conditions.tsx';
import { useTraceRows } from './rows-query.ts';
import { SelectionBar } from './selection-bar.tsx';
import { SpanRows } from './span-rows.tsx';
import { TraceRows } from './trace-rows.tsx';
import { changedView, isNarrowed, type TracesView } from './url.ts';
import { useColumns } from './use-columns.ts';
import { useSelection } from './use-selection.ts';

const route = getRouteApi('/traces');
const noTraces: readonly ListedTrace[] = [];

interface TracesScreenProps {
  /** Shown instead of the list until the first span has arrived. */
  firstRun: ReactNode;
  /** Side panel with one trace. */
  panel: (traceId: string, onClose: () => void) => ReactNode;
}

export function TracesScreen({ firstRun, panel }: TracesScreenProps) {
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = useCallback((search: TracesView, replace = false) => void navigate({ to: '/traces', search, replace }), [navigate]);
  const problem = problemOf(view.filter ?? '', view.show === 'spans' ? 'spans' : 'traces');
  const list = useTraceRows(view, problem === null && view.show === undefined);
  const columns = useColumns();
  const selection = useSelection(list.rows?.loaded ?? noTraces);
  const [areFacetsShown] = usePreference(preference.facetsShown);
  const rows = list.rows;

  if (rows?.total === 0 && rows.hiddenCount === 0 && !isNarrowed(view) && !list.isOther) return firstRun;
  const bar = (
    <div className="flex h-row shrink-0 items-center gap-2 border-line border-b px-pad text-fg-3 text-label">
      <span className="shrink-0 tabular-nums">{rows ? `${rows.hasMore ? 'more than ' : ''}${plural(rows.total, 'trace')}` : ' '}</span>
      {rows && <DeleteMatching view={view} total={rows.total} hasMore={rows.hasMore} />}
      <PlainConditions view={view} onView={show} />
      <BookkeepingToggle view={view} hiddenCount={rows?.hiddenCount ?? 0} onView={show} />
      <NewRows count={list.newCount} onShow={list.showNew} isOld={list.error !== null && rows !== null} onRefresh={list.retry} />
    </div>
  );
  return (
    <>
      <title>Traces · Glasshouse</title>
      <ListBar view={view} columns={columns} onView={show} />
      <OverTimeStrip
        view={view}
        isEnabled={problem === null}
        onRange={({ from, to }) => show(changedView(view, { last: undefined, from, to }))}
      />
      <div className="flex min-h-0 flex-1">
        {areFacetsShown && <Facets view={view} isEnabled={problem === null} onView={show} />}
        <div className="flex min-w-0 flex-1 flex-col">
          {problem ? (
            <>
              {bar}
              <InvalidFilter filter={view.filter ?? ''} problem={problem} onFilter={(filter) => show(changedView(view, { filter }))} />
            </>
          ) : view.show === 'errors' ? (
            <ErrorGroups view={view} onView={show} />
          ) : view.show === 'spans' ? (
            <SpanRows view={view} onView={show} />
          ) : list.error && !rows ? (
            <>
              {bar}
              <FailedState failure={asFailure(list.error, 'The traces could not be loaded')} onRetry={list.retry} />
            </>
          ) : (
            <TraceRows view={view} list={list} bar={bar} columns={columns} selection={selection} onView={show} />
          )}
          {view.show === undefined && selection.selected.size > 0 && (
            <SelectionBar selected={selection.selected} onClear={selection.clear} />
          )}
        </div>
      </div>
      {view.peek !== undefined && panel(view.peek, () => show(changedView(view, { peek: undefined })))}
    </>
  );
}
