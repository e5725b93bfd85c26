/** Adds traces or a span to a queue without leaving the page. */
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { count, plural } from '../../model/text/format.ts';
import { ActOutcome, outcomeLink } from '../../ui/overlays/act-outcome.tsx';
import type { Place } from '../../ui/overlays/chosen-places.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { firstKind, idOf, inWords, type PlaceKind, PlaceKinds } from '../../ui/overlays/place-kinds.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { FormFoot } from '../../ui/primitives/form-foot.tsx';
import { SelectField } from '../../ui/primitives/select-field.tsx';
import { SkeletonCards } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { type Queue, useAddItems, useQueues } from './queues-query.ts';

interface AddDialogProps {
  places: readonly Place[];
  onClose: () => void;
}

export function AddDialog({ places, onClose }: AddDialogProps) {
  const { data, error, isPending } = useQueues({});
  const queues = data?.data ?? [];
  const [kind, setKind] = useState(firstKind(places));
  return (
    <Dialog title={`Add ${inWords(places, kind)} to a queue`} onClose={onClose}>
      {isPending ? (
        <SkeletonCards label="Loading queues" />
      ) : error && !data ? (
        <Text tone="err">{asFailure(error, 'The queues could not be loaded').why}</Text>
      ) : queues.length === 0 ? (
        <Text as="p" size="body">
          There is no queue yet. <QueuesLink onClick={onClose}>Make one</QueuesLink>, with the scores that people should give.
        </Text>
      ) : (
        <AddForm queues={queues} places={places} kind={kind} onKind={setKind} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface AddFormProps extends AddDialogProps {
  queues: readonly Queue[];
  kind: PlaceKind;
  onKind: (kind: PlaceKind) => void;
}

function AddForm({ queues, places, kind, onKind, onClose }: AddFormProps) {
  const [queueId, setQueueId] = useState(queues[0]?.id ?? '');
  const add = useAddItems(queueId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(places.map((place) => ({ resource_id: idOf(place, kind), resource_type: kind })));
  };
  if (add.isSuccess) {
    const link = (
      <Link to="/queues/$queueId" params={{ queueId }} onClick={onClose} className={outcomeLink}>
        Open queue
      </Link>
    );
    return <ActOutcome outcome={outcomeOf(add.data, places.length)} link={link} onClose={onClose} />;
  }
  return (
    <form onSubmit={submit} className="grid justify-items-start gap-3">
      <SelectField label="Queue" options={queues.map(({ id, name }) => ({ id, label: name }))} value={queueId} onChange={setQueueId} />
      <PlaceKinds label="What to review" places={places} kind={kind} onKind={onKind} />
      <FormFoot problem={add.error && asFailure(add.error, 'The items could not be added').why}>
        <Button submit primary disabled={add.isPending}>
          {`Add ${plural(places.length, 'item')}`}
        </Button>
      </FormFoot>
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
