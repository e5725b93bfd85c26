import { type FormEvent, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { plural } from '../../model/text/format.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/primitives/button.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { TextArea } from '../../ui/primitives/text-area.tsx';
import { type Item, useAddItems } from './queues-query.ts';

const kinds: { id: Item['resource_type']; label: string }[] = [
  { id: 'trace', label: 'Traces' },
  { id: 'span', label: 'Spans' },
  { id: 'session', label: 'Sessions' },
];

/** Dialog to add traces, spans or sessions to a queue by id. */
export function ItemsDialog({ queueId, onClose }: { queueId: string; onClose: () => void }) {
  const add = useAddItems(queueId);
  const [kind, setKind] = useState<Item['resource_type']>('trace');
  const [text, setText] = useState('');
  const ids = text.split(/[\s,]+/).filter(Boolean);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ids.length > 0) add.mutate(ids.map((resource_id) => ({ resource_id, resource_type: kind })));
  };
  return (
    <Dialog title="Add items" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-3">
        <Segmented label="Kind" options={kinds} value={kind} onChange={setKind} />
        <TextArea
          label="IDs"
          value={text}
          help="One per line. Items already in the queue are skipped."
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex items-center gap-2">
          <Button submit primary disabled={ids.length === 0 || add.isPending}>
            {`Add ${plural(ids.length, 'item')}`}
          </Button>
          {add.isSuccess && <Text tone="quiet">{`${plural(add.data, 'item')} added`}</Text>}
          {add.isError && <Text tone="err">{asFailure(add.error, 'The items could not be added').why}</Text>}
        </div>
      </form>
    </Dialog>
  );
}
