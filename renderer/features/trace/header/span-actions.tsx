import { usePlaceActs } from '../../../api/place-acts.ts';
import type { SpanNode } from '../../../model/trace/span-node.ts';
import { ActsMenu, bindingsOf } from '../../../ui/overlays/acts-menu.tsx';
import { Button } from '../../../ui/primitives/button.tsx';
import { useKeys } from '../../../ui/primitives/keys.tsx';

/** How many acts have a button beside the menu, where there is room. */
const buttonCount = 2;

/** Buttons, menu and keys of what can be done with the selected span or its trace. */
export function SpanActions({ node: { span } }: { node: SpanNode }) {
  const acts = usePlaceActs([{ traceId: span.trace_id, spanId: span.id }], 'the span or its trace', { tag: 'the trace' });
  useKeys('Span', bindingsOf(acts));
  return (
    <>
      {acts.slice(0, buttonCount).map(({ key, label, whyNot, run }) => (
        <Button key={key} hint={key} whyNot={whyNot} onClick={run} className="max-facets:hidden">
          {label}
        </Button>
      ))}
      <ActsMenu label="More actions" acts={acts} />
    </>
  );
}
