/** Shares out traces to copies that fit into memory. */

/** Spans of one copy, unless its first trace has more. */
const copiedSpansMax = 5000;

export interface CountedTrace {
  trace_id: string;
  span_count: number;
}

/** In their order. @param tracesMax of one copy */
export function copiesOf<T extends CountedTrace>(
  traces: readonly T[],
  spansMax = copiedSpansMax,
  tracesMax = Number.POSITIVE_INFINITY,
): T[][] {
  const copies: T[][] = [];
  let spans = 0;
  for (const trace of traces) {
    const copy = copies.at(-1);
    spans += trace.span_count;
    if (copy && spans <= spansMax && copy.length < tracesMax) copy.push(trace);
    else {
      copies.push([trace]);
      spans = trace.span_count;
    }
  }
  return copies;
}

/** Those of the traces, in their order, that fit when their spans are at most so many together. */
export function within<T extends CountedTrace>(traces: readonly T[], spansMax: number): { fitting: T[]; isWhole: boolean } {
  let left = spansMax;
  const fitting = traces.filter(({ span_count }) => {
    if (span_count > left) return false;
    left -= span_count;
    return true;
  });
  return { fitting, isWhole: fitting.length === traces.length };
}
