import { cost, count, plural, tokens } from '../../../model/text/format.ts';
import type { SpanTree } from '../../../model/trace/span-tree.ts';
import { Quantity } from '../../../ui/primitives/quantity.tsx';

interface Usage {
  input_tokens: number;
  output_tokens: number;
  tokens: number;
}

export const inAndOut = ({ input_tokens, output_tokens, tokens: all }: Usage) => {
  if (input_tokens + output_tokens > 0) return `${tokens(input_tokens)} → ${tokens(output_tokens)}`;
  return all > 0 ? tokens(all) : null;
};

const noTokens = 'The sender reported no token counts';

interface NumberProps {
  tree: SpanTree;
  at: number;
}

/** Tokens of the span and its descendants, each counted once. */
export function SpanTokens({ tree, at }: NumberProps) {
  const { total } = tree;
  const usage = {
    input_tokens: total.input_tokens[at] as number,
    output_tokens: total.output_tokens[at] as number,
    tokens: total.tokens[at] as number,
  };
  const kind = tree.kindAt(at);
  const value = kind === 'embedding' && usage.input_tokens > 0 ? tokens(usage.input_tokens) : inAndOut(usage);
  if (value === null && kind !== 'llm') return <span />;
  if (value === null && tree.isPending(at)) return <span className="num block text-fg-3 text-row">…</span>;
  const exact = `${count(usage.input_tokens)} in, ${count(usage.output_tokens)} out`;
  return (
    <Quantity value={value} unknown={noTokens} title={(tree.below[at] as number) > 0 ? `${exact}, including all spans below` : exact} />
  );
}

export function SpanCost({ tree, at }: NumberProps) {
  const price = tree.total.cost[at] as number;
  const unpriced = tree.unpriced[at] as number;
  if (tree.total.tokens[at] === 0 && price === 0)
    return tree.kindAt(at) === 'llm' && !tree.isPending(at) ? <Quantity value={null} unknown={noTokens} /> : <span />;
  if (price === 0 && unpriced > 0) return <Quantity value={null} unknown={`No price is known for ${tree.modelAt(at) ?? 'its model'}`} />;
  const missing = unpriced > 0 ? `At least: ${plural(unpriced, 'call')} without a known price` : undefined;
  return <Quantity value={`${missing ? '≥' : ''}${cost(price)}`} title={missing} />;
}
