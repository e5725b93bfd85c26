/**
 * The expected row of a trace, computed from the sent spans (docs/reference/ingest.md#traces), deliberately without the product's own
 * code.
 */
import type { SentSpan } from './sent-span.ts';

export interface ExpectedTrace {
  status: 'UNSET' | 'OK' | 'ERROR';
  start: string;
  end: string;
  latency_ms: number;
  tokens: number;
  cost: number;
  span_count: number;
  error_count: number;
  session: string;
}

/** @param spans those that are stored; at least one */
export function expectedTrace(spans: readonly SentSpan[]): ExpectedTrace {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const roots = spans.filter(({ parent }) => parent === null || !byId.has(parent));
  const parentless = spans.filter(({ parent }) => parent === null);
  const children = Map.groupBy(spans, ({ parent }) => parent ?? '');
  /** The usage of a node is the larger of its own report and the sum of its children. */
  const usageOf = (span: SentSpan): { tokens: number; cost: number } => {
    const below = (children.get(span.id) ?? []).map(usageOf);
    return {
      tokens: Math.max(span.tokens ?? 0, sum(below.map(({ tokens }) => tokens))),
      cost: Math.max(span.cost ?? 0, sum(below.map(({ cost }) => cost))),
    };
  };
  const totals = roots.map(usageOf);
  return {
    status: worst(parentless.length > 0 ? parentless : spans),
    start: isoOf(least(spans.map(({ start_ns }) => start_ns))),
    end: isoOf(-least(spans.map(({ end_ns }) => -end_ns))),
    latency_ms: Number(-least(roots.map(({ start_ns, end_ns }) => start_ns - end_ns))) / 1e6,
    tokens: sum(totals.map(({ tokens }) => tokens)),
    cost: sum(totals.map(({ cost }) => cost)),
    span_count: spans.length,
    error_count: spans.filter(({ status }) => status === 2).length,
    session: spans.find(({ session }) => session !== '')?.session ?? '',
  };
}

export const isoOf = (ns: bigint): string => new Date(Number(ns / 1_000_000n)).toISOString();

const sum = (numbers: number[]): number => numbers.reduce((total, value) => total + value, 0);
const least = (numbers: bigint[]): bigint => numbers.reduce((minimum, value) => (value < minimum ? value : minimum));

function worst(spans: readonly SentSpan[]): ExpectedTrace['status'] {
  if (spans.some(({ status }) => status === 2)) return 'ERROR';
  return spans.some(({ status }) => status === 1) ? 'OK' : 'UNSET';
}
