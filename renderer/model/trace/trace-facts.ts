/** The line of facts above a trace. O(spans), once per answer. */
import { type SemanticKind, semanticKinds } from '../../../shared/contract/tracing/semantic-kinds.ts';
import { type Milliseconds, milliseconds } from '../time/time.ts';
import type { Totals } from './span-node.ts';
import type { SpanTree } from './span-tree.ts';

export interface TraceFacts {
  /** From the first start to the last end, also when children outlive the root. */
  wall: Milliseconds;
  model: Milliseconds;
  tools: Milliseconds;
  totals: Totals;
  /** Input tokens read from a cache. */
  cached: number;
  /** Models that answered, the busiest first. */
  models: string[];
  services: string[];
  /** Spans that have begun and not ended. */
  pending: number;
}

/** Time during which at least one span of a kind ran. Spans are in order of time, so one pass suffices. */
function timeOf(tree: SpanTree, kind: SemanticKind): Milliseconds {
  const wanted = semanticKinds.indexOf(kind);
  const { kind: kinds, start_us, duration_us } = tree.outline.spans;
  let total = 0;
  let reached = 0;
  for (let place = 0; place < tree.size; place++) {
    if (kinds[place] !== wanted) continue;
    const from = Math.max(start_us[place] as number, reached);
    const to = (start_us[place] as number) + (duration_us[place] as number);
    if (to <= from) continue;
    total += to - from;
    reached = to;
  }
  return milliseconds(total / 1000);
}

/** The texts of a column that are there, the most frequent first. */
function byFrequency(texts: string[], column: readonly number[], counts: (place: number) => boolean): string[] {
  const times = new Int32Array(texts.length);
  for (let place = 0; place < column.length; place++) {
    const text = column[place] as number;
    if (text >= 0 && counts(place)) times[text] = (times[text] as number) + 1;
  }
  const found = [...times.keys()].filter((text) => texts[text] && (times[text] as number) > 0);
  return found.sort((a, b) => (times[b] as number) - (times[a] as number)).map((text) => texts[text] as string);
}

export function traceFacts(tree: SpanTree): TraceFacts {
  const { spans, models, services } = tree.outline;
  const { input_tokens, output_tokens, tokens, cost } = tree.total;
  const totals: Totals = { input_tokens: 0, output_tokens: 0, tokens: 0, cost: 0, unpriced: 0, errors: 0 };
  for (let root = 0; root < tree.size; root += (tree.below[root] as number) + 1) {
    totals.input_tokens += input_tokens[root] as number;
    totals.output_tokens += output_tokens[root] as number;
    totals.tokens += tokens[root] as number;
    totals.cost += cost[root] as number;
    totals.unpriced += tree.unpriced[root] as number;
    totals.errors += tree.failures[root] as number;
  }
  const isCall = (place: number) => ((spans.flags[place] as number) & 2) !== 0;
  const hasCalls = spans.flags.some((_, place) => isCall(place));
  const pending = spans.flags.reduce((count, flags) => count + (flags & 1), 0);
  const sum = (column: readonly number[]) => column.reduce((all, value, place) => all + (isCall(place) || !hasCalls ? value : 0), 0);
  return {
    wall: milliseconds(Math.max(0, tree.horizon - (spans.start_us[0] ?? 0) / 1000)),
    model: timeOf(tree, 'llm'),
    tools: timeOf(tree, 'tool'),
    totals,
    cached: sum(spans.cached_tokens),
    // Models of the calls themselves: a wrapper often names the requested model, and the call the one that answered.
    models: byFrequency(models, spans.model, (place) => !hasCalls || isCall(place)),
    services: byFrequency(services, spans.service, () => true),
    pending,
  };
}

/** A trace this small has no slow part, only parts. */
const heatSpansMin = 4;
const heatShare = 0.15;

/** Whether a span's own work is a noticeable part of the run: it is drawn warm. */
export const isHot = (self: number, { wall }: TraceFacts, tree: SpanTree) =>
  tree.size >= heatSpansMin && wall > 0 && self / wall >= heatShare;

/** Whether the trace is the run of an agent: then it is read as a conversation first. */
export function isAgentRun(tree: SpanTree): boolean {
  let talks = 0;
  let acts = 0;
  for (let at = 0; at < tree.size; at++) {
    const kind = tree.kindAt(at);
    if (kind === 'agent') return true;
    if (tree.isGeneration(at)) talks++;
    if (kind === 'tool') acts++;
  }
  return talks > 1 && acts > 0;
}
