import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { useMemberNames, useReviewers } from '../../api/members.ts';
import { plural } from '../../model/text/format.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { InlineSelect } from '../../ui/primitives/inline-select.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useAssign, useItems } from './assignment-query.ts';
import { itemColumns } from './item-columns.tsx';
import type { Item, Queue } from './queues-query.ts';
import { type QueueView, queuePageSize, readQueueUrl } from './url.ts';

const route = getRouteApi('/queues/$queueId');

const filters = [
  { id: 'all', label: 'All' },
  { id: 'mine', label: 'Mine' },
  { id: 'free', label: 'Free' },
  { id: 'completed', label: 'Completed' },
  { id: 'skipped', label: 'Skipped' },
] as const;

const emptyWords: Record<(typeof filters)[number]['id'], string> = {
  all: 'The queue is empty.',
  mine: 'No open item of this queue is assigned to you.',
  free: 'Every open item that you may review has been reviewed or assigned.',
  completed: 'No item of this queue is completed.',
  skipped: 'No item of this queue is skipped.',
};

/** The items of a queue, where several are assigned at once. */
export function ItemsList({ queue }: { queue: Queue }) {
  const view: QueueView = route.useSearch();
  const navigate = useNavigate();
  const items = useItems(queue.id, view);
  const names = useMemberNames();
  const [marked, setSelected] = useState<ReadonlySet<string>>(new Set());
  const assign = useAssign(queue.id);
  const rows = items.data?.data ?? [];
  // Only what is in the list: an item may have left it since.
  const selected = new Set(rows.flatMap(({ id }) => (marked.has(id) ? [id] : [])));
  const show = (change: Partial<QueueView>) =>
    void navigate({
      to: '/queues/$queueId',
      params: { queueId: queue.id },
      search: readQueueUrl({ ...view, page: undefined, ...change }),
    });
  const select = (ids: readonly string[]) => {
    setSelected(new Set(ids));
    assign.reset();
  };
  const showOther = (change: Partial<QueueView>) => {
    select([]);
    show(change);
  };
  const filterBy = (id: (typeof filters)[number]['id']) => showOther({ items: id === 'all' ? undefined : id });
  const toggle = ({ id }: Item) => select(selected.has(id) ? [...selected].filter((each) => each !== id) : [...selected, id]);
  const open = ({ id }: Item) => show({ view: undefined, items: undefined, item: id });
  const isWhole = rows.length > 0 && rows.every(({ id }) => selected.has(id));
  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-line border-b px-pad py-1">
        <Segmented label="Items" options={filters} value={view.items ?? 'all'} onChange={filterBy} />
        <Button disabled={rows.length === 0} onClick={() => select(isWhole ? [] : rows.map(({ id }) => id))}>
          {isWhole ? 'Clear selection' : 'Select page'}
        </Button>
        <output>{assign.isSuccess && <Text tone="quiet">{assignedWords(assign.data, assign.variables.item_ids.length)}</Text>}</output>
      </div>
      {items.isError && !items.data ? (
        <FailedState failure={asFailure(items.error, 'The items could not be loaded')} onRetry={() => void items.refetch()} />
      ) : (
        <DataList
          label="Items"
          columns={itemColumns({ open, toggle, selected, names })}
          rows={rows}
          onOpen={open}
          rowKeys={[{ on: 'x', label: 'Select the row', run: toggle }]}
          listKey={JSON.stringify([view.items, view.page])}
        >
          {items.data ? (
            <EmptyState title="No items">{emptyWords[view.items ?? 'all']}</EmptyState>
          ) : (
            <SkeletonRows label="Loading the items" />
          )}
        </DataList>
      )}
      {selected.size > 0 && (
        <AssignBar queue={queue} ids={[...selected]} assign={assign} onClear={() => select([])} onAssigned={() => setSelected(new Set())} />
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={queuePageSize}
        total={items.data?.pagination.total ?? null}
        noun="items"
        onPage={(page) => showOther({ page })}
      />
    </>
  );
}

const nobody = { id: '', label: 'nobody' };

interface AssignBarProps {
  queue: Queue;
  ids: string[];
  assign: ReturnType<typeof useAssign>;
  onClear: () => void;
  onAssigned: () => void;
}

/** Assigns the selected items. */
function AssignBar({ queue, ids, assign, onClear, onAssigned }: AssignBarProps) {
  const whyNot = useWhyNot()('annotation_queue.write');
  const { reviewers, hasFailed, retry } = useReviewers();
  const may = reviewers?.filter(({ id }) => queue.reviewer_ids?.includes(id) ?? true) ?? [];
  const [to, setTo] = useState('');
  useKeys('Selection', [{ on: ['Escape'], label: 'Clear selection', run: onClear }]);
  return (
    <section aria-label="Selection" className="flex h-header shrink-0 items-center gap-2 border-line border-t px-pad">
      <span className="mr-2 shrink-0 text-row tabular-nums">{`${plural(ids.length, 'item')} selected`}</span>
      <InlineSelect label="Assign to" options={[nobody, ...may]} value={to} onChange={setTo} />
      <Button
        primary
        whyNot={whyNot}
        disabled={assign.isPending || !reviewers}
        onClick={() => assign.mutate({ item_ids: ids, assigned_to: to || null }, { onSuccess: onAssigned })}
      >
        {to === '' ? 'Assign to nobody' : 'Assign'}
      </Button>
      {hasFailed && (
        <>
          <Text tone="err">The members could not be loaded.</Text>
          <Button onClick={retry}>Try again</Button>
        </>
      )}
      {assign.isError && <Text tone="err">{asFailure(assign.error, 'The items could not be assigned').why}</Text>}
      <Button className="ml-auto" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  );
}

const assignedWords = (assigned: number, all: number): string =>
  assigned === all ? `${plural(all, 'item')} assigned` : `${assigned} of ${all}: the others are closed, or were reviewed by that person`;
