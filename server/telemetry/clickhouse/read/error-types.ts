/** The types of the errors of some spans, from copies of their traces. */
import type { Scope } from '../../../platform/scope.ts';
import { copiesOf, within } from './copies.ts';
import type { ReadContext } from './read-context.ts';
import { selectTraces } from './trace-selection.ts';

/** Copied in all: types are read beside what a page counts. */
const spansMax = 20_000;

export interface SpanOfTrace {
  trace_id: string;
  span_id: string;
}

/**
 * In the order of the spans; '' for those without one.
 * @returns with whether all were read: those in traces that are too large are not
 */
export async function errorTypesOf(
  context: ReadContext,
  scope: Scope,
  spans: readonly SpanOfTrace[],
): Promise<{ types: string[]; isWhole: boolean }> {
  if (spans.length === 0) return { types: [], isWhole: true };
  const sizes = new Map(
    (await selectTraces(context, scope, { trace_ids: spans.map(({ trace_id }) => trace_id) })).map((trace) => [trace.trace_id, trace]),
  );
  const traces = [...new Set(spans.map(({ trace_id }) => trace_id))].flatMap((id) => sizes.get(id) ?? []);
  const { fitting, isWhole } = within(traces, spansMax);
  const types = new Map<SpanOfTrace, string>();
  for (const copy of copiesOf(fitting)) {
    const ids = new Set(copy.map(({ trace_id }) => trace_id));
    const asked = spans.filter(({ trace_id }) => ids.has(trace_id));
    const named = asked.map(({ trace_id, span_id }) => ({ trace_id, id: span_id }));
    const found = (await context.over(scope, [...ids]).spans.errorTypes(scope, named)).decode();
    for (const [index, span] of asked.entries()) types.set(span, found[index] ?? '');
  }
  return { types: spans.map((span) => types.get(span) ?? ''), isWhole };
}
