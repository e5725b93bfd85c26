import { useWhyNot } from '../../../api/identity.ts';
import { useServed } from '../../../api/served.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { addToDataset, addToQueue } from '../../../ui/overlays/chosen-places.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';

/** Buttons and keys to add the selected span to a dataset or a queue. */
export function SpanActions({ node: { span } }: { node: SpanNode }) {
  const isServed = useServed();
  const whyNot = useWhyNot();
  const places = [{ traceId: span.trace_id, spanId: span.id }];
  const actions = [
    { on: 'd', to: 'dataset', needs: 'datasets', permission: 'dataset.write', run: () => addToDataset(places) },
    { on: 'q', to: 'queue', needs: 'annotation_queues', permission: 'annotation_queue.write', run: () => addToQueue(places) },
  ] as const;
  const served = actions.filter(({ needs }) => isServed(needs));
  useKeys(
    'Span',
    served
      .filter(({ permission }) => whyNot(permission) === undefined)
      .map(({ on, to, run }) => ({ on: [on], label: `Add the span to a ${to}`, run })),
  );
  return served.map(({ on, to, permission, run }) => (
    <Button key={to} hint={on} whyNot={whyNot(permission)} onClick={run} className="max-split:hidden">
      {`Add to ${to}`}
    </Button>
  ));
}
