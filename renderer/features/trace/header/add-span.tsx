import { useWhyNot } from '../../../api/identity.ts';
import { useServed } from '../../../api/served.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { addToDataset } from '../../../ui/overlays/dataset-rows.ts';
import { Button } from '../../../ui/primitives/button.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';

/** Button and key to make a dataset row of the selected span. */
export function AddSpan({ node: { span } }: { node: SpanNode }) {
  const isServed = useServed()('datasets');
  const whyNot = useWhyNot()('dataset.write');
  const add = () => addToDataset([{ traceId: span.trace_id, spanId: span.id }]);
  const mayAdd = isServed && whyNot === undefined;
  useKeys('Span', mayAdd ? [{ on: ['d'], label: 'Add the span to a dataset', run: add }] : []);
  if (!isServed) return null;
  return (
    <Button hint="d" whyNot={whyNot} onClick={add} className="max-split:hidden">
      Add to dataset
    </Button>
  );
}
