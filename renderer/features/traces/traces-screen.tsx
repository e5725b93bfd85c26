import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { asFailure } from '../../api/failure.ts';
import { searchedFilter } from '../../model/filter/searched-filter.ts';
import { NewRows } from '../../ui/lists/list-screen.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { preference, usePreference } from '../../ui/primitives/preferences.ts';
import { BookkeepingToggle } from './bookkeeping-toggle.tsx';
import { CountLine } from './count-line.tsx';
import { DeleteMatching } from './delete-matching.tsx';
import { ErrorGroups } from './error-groups.tsx';
import { Facets } from './facets.tsx';
import { InvalidFilter } from './invalid-filter.tsx';
import { ListBar } from './list-bar.tsx';
import { ListFoot } from './list-foot.tsx';
import { OverTimeStrip } from './over-time-strip.tsx';
import { PlainConditions } from './plain-conditions.tsx';
import { pageSize, useTraceRows } from './rows-query.ts';
import { SpanRows } from './span-rows.tsx';
import { TraceRows } from './trace-rows.tsx';
import { UnknownFields } from './unknown-fields.tsx';
import { changedView, isNarrowed, type TracesView } from './url.ts';
import { useColumns } from './use-columns.ts';
import { useMatches } from './use-matches.ts';
import { useSelection } from './use-selection.ts';

const route = getRouteApi('/traces');
const noTraces: readonly ListedTrace[] = [];

interface TracesScreenProps {
  /** Shown instead of the list until the first span has arrived. */
  firstRun: ReactNode;
  /** Above the list. */
  notice: ReactNode;
  /** Side panel with one trace. */
  panel: (traceId: string, onClose: () => void) => ReactNode;
}

/** Whether the rows of a search are still to come. Until then nothing else of it is counted: that would compete with them for the processors. */
const areRowsPending = ({ filter, show }: TracesView, { rows, isOther, error }: ReturnType<typeof useTraceRows>): boolean =>
  filter !== undefined && show === undefined && error === null && (rows === null || isOther);

export function TracesScreen({ firstRun, notice, panel }: TracesScreenProps) {
  const asked = route.useSearch();
  const navigate = useNavigate();
  const { filter, unknown, problem } = useMemo(
    () => searchedFilter(asked.filter ?? '', asked.show === 'spans' ? 'spans' : 'traces'),
    [asked.filter, asked.show],
  );
  const view = useMemo(() => (unknown.length > 0 ? changedView(asked, { filter }) : asked), [asked, filter, unknown]);
  const show = useCallback(
    // Until the filter is changed, the address has it as it was written.
    (next: TracesView) =>
      void navigate({ to: '/traces', search: next.filter === view.filter ? changedView(next, { filter: asked.filter }) : next }),
    [navigate, view.filter, asked.filter],
  );
  const list = useTraceRows(view, problem === null && view.show === undefined);
  const columns = useColumns();
  const selection = useSelection(list.rows?.loaded ?? noTraces);
  const [areFacetsShown] = usePreference(preference.facetsShown);
  const rows = list.rows;
  // Of a short list all places are known, so that they can be counted.
  const searched = rows && rows.total <= pageSize ? rows.loaded : list.visible;
  const matches = useMatches(view.filter ?? '', list.isOther ? noTraces : searched);
  const isCounted = problem === null && !areRowsPending(view, list);

  if (rows?.total === 0 && rows.hiddenCount === 0 && !isNarrowed(view) && !list.isOther) return firstRun;
  const bar = (
    <div className="flex h-row shrink-0 items-center gap-2 border-line border-b px-pad text-fg-3 text-label">
      <CountLine view={view} rows={rows} isOther={list.isOther} matches={matches} onView={show} />
      {rows && !list.isOther && <DeleteMatching view={view} total={rows.total} hasMore={rows.hasMore} />}
      <PlainConditions view={view} onView={show} />
      <BookkeepingToggle view={view} hiddenCount={rows?.hiddenCount ?? 0} onView={show} />
      <NewRows count={list.newCount} onShow={list.showNew} isOld={list.error !== null && rows !== null} onRefresh={list.retry} />
    </div>
  );
  return (
    <>
      <title>Traces · Glasshouse</title>
      <ListBar view={asked} searched={view} isValid={problem === null} columns={columns} onView={show} />
      {notice}
      {!problem && <UnknownFields unknown={unknown} onFilter={(text) => show(changedView(asked, { filter: text }))} />}
      <OverTimeStrip view={view} isEnabled={isCounted} onRange={({ from, to }) => show(changedView(view, { last: undefined, from, to }))} />
      <div className="flex min-h-0 flex-1">
        {areFacetsShown && <Facets view={view} isEnabled={isCounted} onView={show} />}
        <div className="flex min-w-0 flex-1 flex-col">
          {problem ? (
            <>
              {bar}
              <InvalidFilter
                filter={asked.filter ?? ''}
                problem={problem}
                onFilter={(text) => show(changedView(asked, { filter: text }))}
              />
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
            <TraceRows view={view} list={list} matches={matches} bar={bar} columns={columns} selection={selection} onView={show} />
          )}
          <ListFoot isOfTraces={view.show === undefined} selection={selection} />
        </div>
      </div>
      {view.peek !== undefined && panel(view.peek, () => show(changedView(view, { peek: undefined })))}
    </>
  );
}
