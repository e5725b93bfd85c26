/** Adds traces or a span to a queue without leaving the page. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { count, plural } from '../../model/text/format.ts';
import type { Place } from '../../ui/overlays/chosen-places.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type Queue, useAddItems, useQueues } from './queues-query.ts';

interface AddDialogProps {
  places: readonly Place[];
  onClose: () => void;
}

const kinds = [
  { id: 'span', label: 'This span' },
  { id: 'trace', label: 'Its trace' },
] as const;

export function AddDialog({ places, onClose }: AddDialogProps) {
  const { data, error, isPending } = useQueues({});
  const queues = data?.data ?? [];
  const isSpan = places.some(({ spanId }) => spanId !== '');
  const of = places.length > 1 ? plural(places.length, 'trace') : isSpan ? 'this span' : 'this trace';
  return (
    <Dialog title={`Add ${of} to a queue`} onClose={onClose}>
      {isPending ? (
        <SkeletonCards label="Loading queues" />
      ) : error && !data ? (
        <Text tone="err">{asFailure(error, 'The queues could not be loaded').why}</Text>
      ) : queues.length === 0 ? (
        <Text as="p" size="body">
          There is no queue yet. <QueuesLink onClick={onClose}>Make one</QueuesLink>, with the scores that people should give.
        </Text>
      ) : (
        <AddForm queues={queues} places={places} isSpan={isSpan} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface AddFormProps extends AddDialogProps {
  queues: readonly Queue[];
  isSpan: boolean;
}

function AddForm({ queues, places, isSpan, onClose }: AddFormProps) {
  const [queueId, setQueueId] = useState(queues[0]?.id ?? '');
  const [kind, setKind] = useState<'span' | 'trace'>(isSpan ? 'span' : 'trace');
  const add = useAddItems(queueId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(places.map(({ traceId, spanId }) => ({ resource_id: kind === 'span' ? spanId : traceId, resource_type: kind })));
  };
  if (add.isSuccess)
    return (
      <div className="grid gap-3">
        <p role="status" className="text-body text-ok">
          {outcomeOf(add.data, places.length)}{' '}
          <Link to="/queues/$queueId" params={{ queueId }} onClick={onClose} className="text-accent hover:underline">
            Open queue
          </Link>
        </p>
        <Button className="justify-self-start" onClick={onClose}>
          Close
        </Button>
      </div>
    );
  return (
    <form onSubmit={submit} className="grid gap-3">
      <SelectField label="Queue" options={queues.map(({ id, name }) => ({ id, label: name }))} value={queueId} onChange={setQueueId} />
      {isSpan && <Segmented label="What to review" options={kinds} value={kind} onChange={setKind} />}
      <div className="flex items-center gap-2">
        <Button submit primary disabled={add.isPending}>
          {`Add ${plural(places.length, 'item')}`}
        </Button>
        {add.isError && <Text tone="err">{asFailure(add.error, 'The items could not be added').why}</Text>}
      </div>
    </form>
  );
}

/** Items that are in the queue already are skipped. */
const outcomeOf = (added: number, of: number): string =>
  added === of ? `${plural(added, 'item')} added.` : `${count(added)} of ${plural(of, 'item')} added; the others are in the queue already.`;

const QueuesLink = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <Link to="/queues" onClick={onClick} className="text-accent underline">
    {children}
  </Link>
);
