import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { asFailure, isNotFound } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { useLastError } from '../../api/last-error.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { DetailHeader } from '../../ui/primitives/detail-header.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import type { useItem } from './assignment-query.ts';
import { Progress } from './columns.tsx';
import { useCurrentItem } from './current-item.ts';
import { ItemsDialog } from './items-dialog.tsx';
import { ItemsList } from './items-list.tsx';
import { QueueProgress } from './queue-progress.tsx';
import { type Queue, useQueue } from './queues-query.ts';
import { ReviewWork, type ShowResource } from './review-work.tsx';
import { ReviewersDialog } from './reviewers-dialog.tsx';
import { RulesDialog } from './rules-dialog.tsx';
import { readQueueUrl } from './url.ts';

const views = [
  { id: 'review', label: 'Review' },
  { id: 'items', label: 'Items' },
  { id: 'progress', label: 'Progress' },
] as const;

const route = getRouteApi('/queues/$queueId');

/** Review screen: one item with its review form, then the next one. */
export function QueueScreen({ show }: { show: ShowResource }) {
  const { queueId } = route.useParams();
  const { item: requestedId, view } = route.useSearch();
  const navigate = useNavigate();
  const queue = useQueue(queueId);
  const { open, requested, item, draft, change, finish } = useCurrentItem(queueId, queue.data, requestedId, view === undefined);
  const whyNotAdd = useWhyNot()('annotation_queue.write');
  const [isAdding, setAdding] = useState(false);
  const [dialog, setDialog] = useState<'rules' | 'reviewers' | null>(null);
  const back = () => void navigate({ to: '/queues' });
  const showNext = () => void navigate({ to: '/queues/$queueId', params: { queueId }, search: readQueueUrl({}), replace: true });
  const next = (itemId: string) => {
    finish(itemId);
    showNext();
  };
  const showView = (id: 'review' | 'items' | 'progress') =>
    void navigate({ to: '/queues/$queueId', params: { queueId }, search: readQueueUrl(id === 'review' ? {} : { view: id }) });
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
        <Segmented label="View" options={views} value={view ?? 'review'} onChange={showView} />
        <span className="w-side max-facets:hidden">
          <Progress progress={queue.data.progress} />
        </span>
        <span className="ml-auto flex gap-2">
          <Button onClick={() => setDialog('reviewers')}>Reviewers</Button>
          <Button onClick={() => setDialog('rules')}>Rules</Button>
          {addItems}
        </span>
      </DetailHeader>
      {view === 'items' ? (
        <ItemsList queue={queue.data} />
      ) : view === 'progress' ? (
        <QueueProgress queue={queue.data} />
      ) : item ? (
        <ReviewWork
          key={item.id}
          {...{ queue: queue.data, item, draft, show }}
          onDraft={change(item.id)}
          onDone={() => next(item.id)}
          onBack={back}
        />
      ) : requestedId !== undefined ? (
        <Requested item={requested} onNext={showNext} />
      ) : (
        <Finished queue={queue.data} action={addItems} onAll={() => showView('items')} />
      )}
      {dialog === 'rules' && <RulesDialog queueId={queueId} onClose={() => setDialog(null)} />}
      {dialog === 'reviewers' && <ReviewersDialog queue={queue.data} onClose={() => setDialog(null)} />}
      {isAdding && <ItemsDialog queueId={queueId} onClose={() => setAdding(false)} />}
    </>
  );
}

/** An item that was asked for, while it is not there. */
function Requested({ item, onNext }: { item: ReturnType<typeof useItem>; onNext: () => void }) {
  if (!item.isError) return <SkeletonRows label="Loading the item" />;
  if (!isNotFound(item.error))
    return <FailedState failure={asFailure(item.error, 'The item could not be loaded')} onRetry={() => void item.refetch()} />;
  return (
    <EmptyState title="Item not found" action={<Button onClick={onNext}>Review the next item</Button>}>
      It has been removed from the queue.
    </EmptyState>
  );
}

function Finished({ queue, action, onAll }: { queue: Queue; action: ReactNode; onAll: () => void }) {
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
    <EmptyState title="Nothing left for you to review" action={open === 0 ? action : <Button onClick={onAll}>Show all items</Button>}>
      {open === 0 ? `All ${total} items have been reviewed.` : `${open} of ${total} items are waiting for other reviewers.`}
    </EmptyState>
  );
}
