import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import type { ListedRunaway } from '../../../shared/contract/tracing/runaways.ts';
import { asFailure } from '../../api/failure.ts';
import { useRunawayList } from '../../api/runaways.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { linkButton } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { foundColumns } from './found-columns.tsx';
import { Thresholds } from './thresholds.tsx';

const route = getRouteApi('/runaways');

const choices = [
  { id: 'found', label: 'Found' },
  { id: 'thresholds', label: 'Thresholds' },
] as const;

/** Runs that kept going without making progress, and when a run counts as one. */
export function RunawaysScreen() {
  const { show = 'found' } = route.useSearch();
  const navigate = useNavigate();
  const select = (id: 'found' | 'thresholds') =>
    void navigate({ to: '/runaways', search: id === 'found' ? {} : { show: id }, replace: true });
  return (
    <>
      <title>Runaways · Glasshouse</title>
      <ScreenHeader title="Runaways">
        <Segmented label="Show" options={choices} value={show} onChange={select} />
      </ScreenHeader>
      {show === 'found' ? <Found /> : <Thresholds />}
    </>
  );
}

function Found() {
  const runaways = useRunawayList();
  const navigate = useNavigate();
  const open = ({ trace_id }: ListedRunaway) => void navigate({ to: '/traces/$traceId', params: { traceId: trace_id } });
  if (runaways.isError && !runaways.data)
    return <FailedState failure={asFailure(runaways.error, 'The runaways could not be loaded')} onRetry={() => void runaways.refetch()} />;
  // A run has a row for each of its signs.
  const rows = (runaways.data ?? []).map((found) => ({ ...found, id: `${found.trace_id} ${found.rule}` }));
  return (
    <DataList label="Runaways" columns={foundColumns} rows={rows} onOpen={open} listKey="">
      {runaways.data ? (
        <EmptyState
          title="No runaways"
          action={
            <Link to="/runaways" search={{ show: 'thresholds' }} className={linkButton}>
              Set thresholds
            </Link>
          }
        >
          A run that repeats a call, goes round in a loop, fails again and again or costs too much is listed here while it runs. None has
          been found so far.
        </EmptyState>
      ) : (
        <SkeletonRows label="Loading the runaways" />
      )}
    </DataList>
  );
}
