import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { deletedIdsMax } from '../../../shared/contract/tracing/trace-deletions.ts';
import type { ListedTrace } from '../../../shared/contract/tracing/trace-list.ts';
import { gateway } from '../../api/client.ts';
import { asFailure } from '../../api/failure.ts';
import { useWhyNot } from '../../api/identity.ts';
import { useServed } from '../../api/served.ts';
import { useMayDelete } from '../../api/trace-deletions.ts';
import { plural } from '../../model/text/format.ts';
import { addToDataset, addToQueue } from '../../ui/overlays/chosen-places.ts';
import { Button } from '../../ui/primitives/button.tsx';
import { CopyButton, copyText } from '../../ui/primitives/copy-button.tsx';
import { useKeys } from '../../ui/primitives/keys.tsx';
import { CompareSelected } from './compare-selected.tsx';
import { DeleteTraces } from './delete-traces.tsx';

/** Most traces that one import takes. */
const importMax = 100;
/** Most items that one request adds to a queue. */
const queuedMax = 1000;

/** Downloads the traces with their spans and scores as one file. */
async function download(ids: readonly string[]): Promise<void> {
  const traces: unknown[] = [];
  // One at a time, because each may be large.
  for (const traceId of ids) traces.push((await gateway.traces.get({ params: { traceId }, query: { fields: 'scores' } })).data);
  const address = URL.createObjectURL(new Blob([JSON.stringify(traces, null, 2)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `traces-${ids.length}.json`;
  link.click();
  URL.revokeObjectURL(address);
}

interface SelectionBarProps {
  selected: ReadonlyMap<string, ListedTrace>;
  onClear: () => void;
}

/** Actions on the selected rows. */
export function SelectionBar({ selected, onClear }: SelectionBarProps) {
  const whyNot = useWhyNot();
  const hasQueues = useServed()('annotation_queues');
  const ids = [...selected.keys()];
  const places = ids.map((traceId) => ({ traceId, spanId: '' }));
  const copied = () => ids.join('\n');
  const mayDelete = useMayDelete();
  const [isDeleting, setDeleting] = useState(false);
  const mayAdd = whyNot('dataset.write') === undefined && ids.length <= importMax;
  const mayQueue = hasQueues && whyNot('annotation_queue.write') === undefined && ids.length <= queuedMax;
  const exported = useMutation({ mutationFn: () => download(ids), networkMode: 'always' });
  useKeys('Selection', [
    { on: ['Escape'], label: 'Clear selection', run: onClear },
    ...(mayAdd ? [{ on: ['d'], label: 'Add the selected traces to a dataset', run: () => addToDataset(places) }] : []),
    ...(mayQueue ? [{ on: ['q'], label: 'Add the selected traces to a queue', run: () => addToQueue(places) }] : []),
    { on: ['y'], label: 'Copy the IDs of the selected traces', run: () => void copyText(copied) },
    ...(mayDelete ? [{ on: ['Delete'], label: 'Delete the selected traces', run: () => setDeleting(true) }] : []),
  ]);
  return (
    <section aria-label="Selection" className="flex h-header shrink-0 items-center gap-2 border-line border-t px-pad">
      <span className="mr-2 text-row tabular-nums">{`${plural(ids.length, 'trace')} selected`}</span>
      <CompareSelected selected={selected} />
      <Button
        whyNot={whyNot('dataset.write')}
        disabled={ids.length > importMax}
        title={ids.length > importMax ? `At most ${importMax} at once` : undefined}
        hint="d"
        onClick={() => addToDataset(places)}
      >
        Add to dataset
      </Button>
      {hasQueues && (
        <Button
          whyNot={whyNot('annotation_queue.write')}
          disabled={ids.length > queuedMax}
          title={ids.length > queuedMax ? `At most ${queuedMax} at once` : undefined}
          hint="q"
          onClick={() => addToQueue(places)}
        >
          Add to queue
        </Button>
      )}
      <Button disabled={exported.isPending} onClick={() => exported.mutate()}>
        {exported.isPending ? 'Exporting…' : 'Export as JSON'}
      </Button>
      <CopyButton text={copied} label="Copy IDs" />
      {mayDelete && (
        <Button
          disabled={ids.length > deletedIdsMax}
          title={ids.length > deletedIdsMax ? `At most ${deletedIdsMax} at once` : undefined}
          onClick={() => setDeleting(true)}
        >
          Delete…
        </Button>
      )}
      {isDeleting && (
        <DeleteTraces
          traces={{ trace_ids: ids }}
          of={ids.length === 1 ? 'the selected trace' : `${plural(ids.length, 'selected trace')}`}
          onDeleted={onClear}
          onClose={() => setDeleting(false)}
        />
      )}
      {exported.isError && (
        <span role="alert" className="min-w-0 truncate text-err text-label">
          {asFailure(exported.error, 'The traces could not be exported').why}
        </span>
      )}
      <Button className="ml-auto" onClick={onClear}>
        Clear selection
      </Button>
    </section>
  );
}
