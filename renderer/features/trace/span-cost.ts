import { cost } from '../../model/format.ts';
import type { SpanNode } from '../../model/span-node.ts';

/** Cost of a span with its source; null when it has none. */
export function spanCost({ span, totals }: Pick<SpanNode, 'span' | 'totals'>): { text: string; title: string } | null {
  if (span.cost_source === 'reported') return { text: cost(span.cost), title: 'Cost as the sender reported it' };
  if (span.cost_source === 'computed') return { text: cost(span.cost), title: 'Cost computed from tokens and list prices' };
  if (totals.cost > 0) return { text: cost(totals.cost), title: 'Cost of the calls below' };
  return span.tokens > 0 ? { text: '$ —', title: `No price is known for ${span.model ?? 'a span without a model'}` } : null;
}
