import type { SpanInTrace } from '../../../shared/contract/spans.ts';
import { cost } from '../../model/format.ts';

/** A span's own cost with where it comes from; null when it has nothing to cost. */
export function spanCost({ cost: usd, cost_source, tokens, model }: SpanInTrace): { text: string; title: string } | null {
  if (cost_source === 'none')
    return tokens > 0 ? { text: '$ —', title: `No price is known for ${model ?? 'a span without a model'}` } : null;
  return {
    text: cost(usd),
    title: cost_source === 'reported' ? 'Cost as the sender reported it' : 'Cost computed from tokens and list prices',
  };
}
