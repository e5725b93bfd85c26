import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { useLastError } from '../../api/last-error.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Progress } from './columns.tsx';
import { ItemsDialog } from './items-dialog.tsx';
import { type Item, type Queue, useOpenItems, useQueue, useResourceLocation } from './queues-query.ts';
import { Review } from './review.tsx';
import { RulesDialog } from './rules-dialog.tsx';
import { readQueueUrl } from './url.ts';

export interface ResourceLocation {
  trace_id: string;
  span_id: string | null;
}

/** Renders the resource of an item. */
export type ShowResource = (location: ResourceLocation, onBack: () => void) => ReactNode;

const route = getRouteApi('/queues/$queueId');

/** Review screen: one item with its review form, then the next one. */
export function QueueScreen({ show }: { show: ShowResource }) {
  const { queueId } = route.useParams();
  const { item: requestedItem } = route.useSearch();
  const navigate = useNavigate();
  const queue = useQueue(queueId);
  const open = useOpenItems(queueId);
  const whyNotAdd = useWhyNot()('annotation_queue.write');
  const [isAdding, setAdding] = useState(false);
  const [areRulesOpen, setRulesOpen] = useState(false);
  // Items that this user has reviewed. They stay open while they wait for other reviewers.
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const items = (open.data ?? []).filter(({ id }) => !done.has(id));
  const item = items.find(({ id }) => id === requestedItem) ?? items[0];
  const back = () => void navigate({ to: '/queues' });
  const next = (itemId: string) => {
    setDone(new Set([...done, itemId]));
    void navigate({ to: '/queues/$queueId', params: { queueId }, search: readQueueUrl({}), replace: true });
  };
  const [queueError, itemsError] = [useLastError(queue), useLastError(open)];
  const failure = queueError ?? itemsError;
  if (failure && !(queue.data && open.data))
    return isNotFound(failure) ? (
      <EmptyState isPage title="Queue not found" action={<Button onClick={back}>All queues</Button>} />
    ) : (
      <FailedState isPage failure={asFailure(failure, 'The queue could not be loaded')} onRetry={() => void queue.refetch()} />
    );
  if (!queue.data || !open.data) return <SkeletonRows label="Loading the queue" />;
  const addItems = (
    <Button whyNot={whyNotAdd} onClick={() => setAdding(true)}>
      Add items
    </Button>
  );
  return (
    <>
      <title>{`${queue.data.name} · Glasshouse`}</title>
      <DetailHeader parent={<Link to="/queues">Queues</Link>} title={queue.data.name}>
        <span className="w-side">
          <Progress progress={queue.data.progress} />
        </span>
        <span className="ml-auto flex gap-2">
          <Button onClick={() => setRulesOpen(true)}>Rules</Button>
          {addItems}
        </span>
      </DetailHeader>
      {item ? (
        <ReviewWork key={item.id} queue={queue.data} item={item} show={show} onDone={() => next(item.id)} onBack={back} />
      ) : (
        <Finished queue={queue.data} action={addItems} />
      )}
      {areRulesOpen && <RulesDialog queueId={queueId} onClose={() => setRulesOpen(false)} />}
      {isAdding && <ItemsDialog queueId={queueId} onClose={() => setAdding(false)} />}
    </>
  );
}

interface ReviewWorkProps {
  queue: Queue;
  item: Item;
  show: ShowResource;
  onDone: () => void;
  onBack: () => void;
}

function ReviewWork({ queue, item, show, onDone, onBack }: ReviewWorkProps) {
  return (
    <div className="flex min-h-0 flex-1 flex-col facets:flex-row">
      <section aria-label="Item" className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ItemResource item={item} show={show} onBack={onBack} />
      </section>
      <section
        aria-label="Review"
        className="max-h-2/5 shrink-0 overflow-y-auto border-line border-t facets:max-h-none facets:w-panel facets:border-t-0 facets:border-l"
      >
        <Review queue={queue} item={item} onDone={onDone} />
      </section>
    </div>
  );
}

function ItemResource({ item, show, onBack }: Pick<ReviewWorkProps, 'item' | 'show' | 'onBack'>) {
  const location = useResourceLocation(item);
  if (location.data) return show(location.data, onBack);
  if (location.data === null)
    return (
      <EmptyState title="Session">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: item.resource_id }}
          target="_blank"
          className="wrap-anywhere text-accent hover:underline"
        >
          {`Open ${item.resource_id} in new window`}
        </Link>
      </EmptyState>
    );
  if (!location.isError) return <SkeletonRows label="Loading the item" />;
  return isNotFound(location.error) ? (
    <EmptyState title="Item not found">{`No span has the ID ${item.resource_id}: its trace was deleted, or has not arrived. Skip the item, or review it without seeing it.`}</EmptyState>
  ) : (
    <FailedState failure={asFailure(location.error, 'The item could not be loaded')} onRetry={() => void location.refetch()} />
  );
}

function Finished({ queue, action }: { queue: Queue; action: ReactNode }) {
  const { total, pending, in_progress } = queue.progress;
  if (total === 0)
    return (
      <EmptyState title="The queue is empty" action={action}>
        Add traces from their list with q, let a rule add them, or add traces, spans or sessions by their IDs, here or with POST
        {` /v1/annotation-queues/${queue.id}/items.`}
      </EmptyState>
    );
  const open = pending + in_progress;
  return (
    <EmptyState title="Nothing left for you to review" action={action}>
      {open === 0 ? `All ${total} items have been reviewed.` : `${open} of ${total} items are waiting for other reviewers.`}
    </EmptyState>
  );
}
