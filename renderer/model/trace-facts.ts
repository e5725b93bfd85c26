/** The line of facts above a trace. O(spans log spans), once per answer. */

import type { SemanticKind } from '../../shared/contract/semantic-kinds.ts';
import type { SpanInTrace } from '../../shared/contract/spans.ts';
import { covered, type Interval } from './intervals.ts';
import type { SpanTree, Totals } from './span-tree.ts';
import { type Milliseconds, milliseconds } from './time.ts';

export interface TraceFacts {
  /** From the first start to the last end: what the run took, also when children outlive the root. */
  wall: Milliseconds;
  model: Milliseconds;
  tools: Milliseconds;
  totals: Totals;
  models: string[];
  services: string[];
}

const interval = ({ timestamp, duration_ms }: SpanInTrace): Interval => {
  const start = Date.parse(timestamp);
  return [start, start + duration_ms];
};

const distinct = (values: (string | null | undefined)[]) => [...new Set(values.filter((value) => value))] as string[];

export function traceFacts(tree: SpanTree): TraceFacts {
  const spans = tree.nodes.map((node) => node.span);
  const calls = spans.filter((span) => span.type === 'GENERATION');
  const all = spans.map(interval);
  const timeOf = (kind: SemanticKind) => milliseconds(covered(spans.filter((span) => span.span_kind === kind).map(interval)));
  const start = all.reduce((least, [at]) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const end = all.reduce((most, [, at]) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  const totals: Totals = { input_tokens: 0, output_tokens: 0, tokens: 0, cost: 0, unpriced: 0, errors: 0 };
  for (const root of tree.roots) for (const key of Object.keys(totals) as (keyof Totals)[]) totals[key] += root.totals[key];
  return {
    wall: milliseconds(Math.max(0, end - start)),
    model: timeOf('llm'),
    tools: timeOf('tool'),
    totals,
    // Of the calls themselves: a wrapper often names the model that was asked for, and the call the one that answered.
    models: distinct((calls.length > 0 ? calls : spans.filter((span) => span.span_kind === 'llm')).map((span) => span.model)),
    services: distinct(spans.map((span) => span.service_name)),
  };
}

/** A trace this small has no slow part, only parts. */
const heatSpansMin = 4;
const heatShare = 0.15;

/** Whether a span's own work is a noticeable part of the run: it is drawn warm. */
export const isHot = (self: Milliseconds, { wall }: TraceFacts, tree: SpanTree) =>
  tree.nodes.length >= heatSpansMin && wall > 0 && self / wall >= heatShare;
