import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useChangeQueue } from './assignment-query.ts';
import type { Queue } from './queues-query.ts';
import { asSent, ReviewersField, type Reviewing } from './reviewers-field.tsx';

/** Changes who reviews a queue. */
export function ReviewersDialog({ queue, onClose }: { queue: Queue; onClose: () => void }) {
  const change = useChangeQueue(queue.id);
  const whyNot = useWhyNot()('annotation_queue.write');
  const [value, setValue] = useState<Reviewing>(queue);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (whyNot === undefined) change.mutate(asSent(value), { onSuccess: onClose });
  };
  return (
    <Dialog title="Reviewers" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <ReviewersField required={queue.reviewers_required} value={value} onChange={setValue} />
        <Text size="label" tone="dim">
          Open items of those who no longer review the queue wait for others. Items that are in the queue are not shared out again.
        </Text>
        <div className="flex items-center gap-2">
          <Button submit primary whyNot={whyNot} disabled={change.isPending}>
            Save
          </Button>
          {change.isError && <Text tone="err">{asFailure(change.error, 'The reviewers could not be saved').why}</Text>}
        </div>
      </form>
    </Dialog>
  );
}
