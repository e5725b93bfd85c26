/** The line of facts above a trace. O(spans), once per response. */
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
  /** Models that responded, the most frequent first. */
  models: string[];
  services: string[];
  /** Number of pending spans. */
  pending: number;
}

/** Time during which at least one span of a kind ran. Spans are sorted by start, so one pass suffices. */
function timeOf(tree: SpanTree, kind: SemanticKind): Milliseconds {
  const kindIndex = semanticKinds.indexOf(kind);
  const { kind: kinds, start_us, duration_us } = tree.outline.spans;
  let total = 0;
  let coveredUntil = 0;
  for (let index = 0; index < tree.size; index++) {
    if (kinds[index] !== kindIndex) continue;
    const from = Math.max(start_us[index] as number, coveredUntil);
    const to = (start_us[index] as number) + (duration_us[index] as number);
    if (to <= from) continue;
    total += to - from;
    coveredUntil = to;
  }
  return milliseconds(total / 1000);
}

/** The texts that occur in a column, the most frequent first. */
function byFrequency(texts: string[], column: readonly number[], isCounted: (index: number) => boolean): string[] {
  const times = new Int32Array(texts.length);
  for (let index = 0; index < column.length; index++) {
    const text = column[index] as number;
    if (text >= 0 && isCounted(index)) times[text] = (times[text] as number) + 1;
  }
  const present = [...times.keys()].filter((text) => texts[text] && (times[text] as number) > 0);
  return present.sort((a, b) => (times[b] as number) - (times[a] as number)).map((text) => texts[text] as string);
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
  const isCall = (index: number) => ((spans.flags[index] as number) & 2) !== 0;
  const hasCalls = spans.flags.some((_, index) => isCall(index));
  const pending = spans.flags.reduce((count, flags) => count + (flags & 1), 0);
  const sum = (column: readonly number[]) => column.reduce((all, value, index) => all + (isCall(index) || !hasCalls ? value : 0), 0);
  return {
    wall: milliseconds(Math.max(0, tree.horizon - (spans.start_us[0] ?? 0) / 1000)),
    model: timeOf(tree, 'llm'),
    tools: timeOf(tree, 'tool'),
    totals,
    cached: sum(spans.cached_tokens),
    // Models of the calls themselves: a wrapper often names the requested model, and the call the one that answered.
    models: byFrequency(models, spans.model, (index) => !hasCalls || isCall(index)),
    services: byFrequency(services, spans.service, () => true),
    pending,
  };
}

/** In a smaller trace no span is marked as slow. */
const heatSpansMin = 4;
const heatShare = 0.15;

/** Whether the self time of a span is a large part of the run. Such spans are shown in a warm colour. */
export const isHot = (self: number, { wall }: TraceFacts, tree: SpanTree) =>
  tree.size >= heatSpansMin && wall > 0 && self / wall >= heatShare;

/** Whether the trace is an agent run, which is first shown as a transcript. */
export function isAgentRun(tree: SpanTree): boolean {
  let modelCalls = 0;
  let toolCalls = 0;
  for (let at = 0; at < tree.size; at++) {
    const kind = tree.kindAt(at);
    if (kind === 'agent') return true;
    if (tree.isGeneration(at)) modelCalls++;
    if (kind === 'tool') toolCalls++;
  }
  return modelCalls > 1 && toolCalls > 0;
}
