import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import { type TraceItem, traceSortKeys } from '../../../shared/contract/traces.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FailedState } from '../../ui/failed-state.tsx';
import { NewRows, ScreenHeader } from '../../ui/list-screen.tsx';
import { Pager } from '../../ui/pager.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { traceColumns } from './columns.tsx';
import { Filters } from './filters.tsx';
import { PageSums } from './page-sums.tsx';
import { useHeldTraces, useTraces } from './traces-query.ts';
import { currentSort, isFiltered, narrowed, sortedBy, type TracesView, tracePageSize } from './url.ts';

const route = getRouteApi('/traces');

/** `firstRun` stands where the list will be, until the first span has arrived. */
export function TracesScreen({ firstRun }: { firstRun: ReactNode }) {
  const view = route.useSearch();
  const navigate = useNavigate();
  const show = (search: TracesView) => void navigate({ to: '/traces', search });
  const traces = useTraces(view);
  const key = JSON.stringify(view);
  const list = useHeldTraces(traces.isPlaceholderData ? undefined : traces.data, key);
  const open = useCallback((trace: TraceItem) => void navigate({ to: '/traces/$traceId', params: { traceId: trace.id } }), [navigate]);
  const names = useMemo(() => [...new Set(list.page?.rows.map((trace) => trace.name))], [list.page]);
  const sort = currentSort(view);

  if (list.page?.total === 0 && !isFiltered(view)) return firstRun;
  return (
    <>
      <title>Traces · Glasshouse</title>
      <ScreenHeader title="Traces">
        <Filters view={view} names={names} onNarrow={(change) => show(narrowed(view, change))} />
        <NewRows count={list.waiting} onShow={list.showWaiting} isOld={traces.isRefetchError} onRefresh={() => void traces.refetch()} />
      </ScreenHeader>
      {traces.isError && !traces.data ? (
        <FailedState failure={asFailure(traces.error, 'The traces could not be listed')} onRetry={() => void traces.refetch()} />
      ) : (
        <DataList
          label="Traces"
          columns={traceColumns}
          rows={list.page?.rows ?? []}
          sort={{ by: sort.sort_by, order: sort.sort_order }}
          onSort={(by) => show(sortedBy(view, traceSortKeys.find((each) => each === by) ?? 'start_time'))}
          onOpen={open}
          onAttention={list.setAttended}
          listKey={list.listKey}
        >
          {list.page ? <NoTraces view={view} total={list.page.total} onShow={show} /> : <SkeletonRows label="Loading traces" />}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={tracePageSize}
        total={traces.isError && !traces.data ? null : (list.page?.total ?? null)}
        noun="traces"
        onPage={(page) => show({ ...view, page })}
      >
        {list.page && list.page.rows.length > 0 && <PageSums rows={list.page.rows} />}
      </Pager>
    </>
  );
}

function NoTraces({ view, total, onShow }: { view: TracesView; total: number; onShow: (view: TracesView) => void }) {
  if (total > 0)
    return (
      <EmptyState
        title="This page is past the end of the list"
        action={<Button onClick={() => onShow(narrowed(view, {}))}>Go to the first page</Button>}
      />
    );
  return (
    <EmptyState title="No trace matches these filters" action={<Button onClick={() => onShow({})}>Clear the filters</Button>}>
      Names match exactly, and dates are days in UTC. A trace that matches appears here as soon as it arrives.
    </EmptyState>
  );
}
