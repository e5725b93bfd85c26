import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { DataList } from '../../ui/lists/data-list.tsx';
import { ScreenHeader } from '../../ui/lists/list-screen.tsx';
import { Pager } from '../../ui/lists/pager.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { EmptyState } from '../../ui/primitives/empty-state.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { queueColumns } from './columns.tsx';
import { QueueDialog } from './queue-dialog.tsx';
import { useQueues } from './queues-query.ts';
import { type QueuesView, queuePageSize, readQueuesUrl } from './url.ts';

const route = getRouteApi('/queues');

const assignments = [
  { id: 'all', label: 'All' },
  { id: 'mine', label: 'Assigned to me' },
] as const;

/** Annotation queues with their progress. */
export function QueuesScreen() {
  const view = route.useSearch();
  const navigate = useNavigate();
  const [isAdding, setAdding] = useState(false);
  const whyNot = useWhyNot();
  const queues = useQueues(view);
  const show = (change: Partial<QueuesView>) =>
    void navigate({ to: '/queues', search: readQueuesUrl({ ...view, page: undefined, ...change }) });
  const open = ({ id: queueId }: { id: string }) => void navigate({ to: '/queues/$queueId', params: { queueId } });
  const add = (
    <Button whyNot={whyNot('annotation_queue.write')} onClick={() => setAdding(true)}>
      New queue
    </Button>
  );
  return (
    <>
      <title>Queues · Glasshouse</title>
      <ScreenHeader title="Queues">
        <Segmented
          label="Assignment"
          options={assignments}
          value={view.whose ?? 'all'}
          onChange={(id) => show({ whose: id === 'mine' ? id : undefined })}
        />
        <span className="ml-auto">{(view.whose !== undefined || queues.data?.data.length !== 0) && add}</span>
      </ScreenHeader>
      {queues.isError && !queues.data ? (
        <FailedState failure={asFailure(queues.error, 'The queues could not be loaded')} onRetry={() => void queues.refetch()} />
      ) : (
        <DataList label="Queues" columns={queueColumns(open)} rows={queues.data?.data ?? []} onOpen={open} listKey={JSON.stringify(view)}>
          {queues.data ? (
            <NoQueues isFiltered={view.whose !== undefined} onAll={() => show({ whose: undefined })} add={add} />
          ) : (
            <SkeletonRows label="Loading queues" />
          )}
        </DataList>
      )}
      <Pager
        page={view.page ?? 1}
        pageSize={queuePageSize}
        total={queues.data?.pagination.total ?? null}
        noun="queues"
        onPage={(page) => show({ page })}
      />
      {isAdding && <QueueDialog onClose={() => setAdding(false)} onAdded={open} />}
    </>
  );
}

function NoQueues({ isFiltered, onAll, add }: { isFiltered: boolean; onAll: () => void; add: ReactNode }) {
  if (isFiltered)
    return (
      <EmptyState title="No queues assigned to you" action={<Button onClick={onAll}>Show all queues</Button>}>
        Queues with items that are assigned to you and wait for your review are listed here.
      </EmptyState>
    );
  return (
    <EmptyState title="No queues yet" action={add}>
      A queue has traces, spans and sessions for people to review one after the other. Their answers become scores and comments.
    </EmptyState>
  );
}
