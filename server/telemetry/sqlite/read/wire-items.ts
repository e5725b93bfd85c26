/** Items of the contract, of the values that both stores keep in their rows. Codes are those of codes.ts; absent texts are ''. */
import type { ScoreAggregation } from '../../../../shared/contract/evaluation/score-analytics.ts';
import type { SessionItem } from '../../../../shared/contract/tracing/sessions.ts';
import type { SpanItem } from '../../../../shared/contract/tracing/spans.ts';
import type { TraceItem } from '../../../../shared/contract/tracing/traces.ts';
import { costSources, kinds, statuses, types } from '../file/codes.ts';
import { isoOf } from './iso-time.ts';

export interface TraceValues {
  trace_id: string;
  name: string;
  status: number;
  start_us: number;
  end_us: number;
  latency_ns: number;
  cost: number;
  tokens: number;
  span_count: number;
  error_count: number;
  tags: string[];
  input_preview: string;
  output_preview: string;
}

export interface SpanValues {
  span_id: string;
  trace_id: string;
  parent_id: string;
  name: string;
  status: number;
  status_message: string;
  start_us: number;
  duration_ns: number;
  type: number;
  kind: number;
  model: string;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Reported by the span; null for the sum of the others. */
  tokens: number | null;
  cost: number | null;
  cost_source: number;
  service: string;
  prompt: string;
  metadata: Record<string, string>;
}

export interface SessionValues {
  id: string;
  name: string;
  start_us: number;
  end_us: number;
  trace_count: number;
  cost: number;
  tokens: number;
  latency_ns: number;
  /** Sorted. */
  tags: string[];
}

export interface ScoreSumValues {
  name: string;
  count: number;
  mean: number;
  min: number;
  max: number;
  /** Number of scores with a label. */
  labelled: number;
  /** Number of scores with the label `true` or `false`. */
  booleans: number;
}

export const traceItem = (values: TraceValues): TraceItem => ({
  id: values.trace_id,
  name: values.name,
  status: statuses[values.status] ?? 'UNSET',
  start: isoOf(values.start_us),
  end: isoOf(values.end_us),
  latency_ms: values.latency_ns / 1e6,
  cost: values.cost,
  tokens: values.tokens,
  span_count: values.span_count,
  error_count: values.error_count,
  tags: values.tags,
  ...(values.input_preview !== '' && { input_preview: values.input_preview }),
  ...(values.output_preview !== '' && { output_preview: values.output_preview }),
});

export const spanItem = (values: SpanValues): SpanItem => ({
  id: values.span_id,
  trace_id: values.trace_id,
  parent_id: values.parent_id || null,
  name: values.name,
  status: statuses[values.status] ?? 'UNSET',
  status_message: values.status_message,
  duration_ms: values.duration_ns / 1e6,
  timestamp: isoOf(values.start_us),
  type: types[values.type] ?? 'SPAN',
  model: values.model || null,
  input_tokens: values.input_tokens ?? 0,
  output_tokens: values.output_tokens ?? 0,
  tokens: values.tokens ?? (values.input_tokens ?? 0) + (values.output_tokens ?? 0),
  cost: values.cost ?? 0,
  cost_source: costSources[values.cost_source] ?? 'none',
  span_kind: kinds[values.kind] ?? 'function',
  service_name: values.service,
  prompt_name: values.prompt || null,
  metadata: values.metadata,
});

export const sessionItem = (values: SessionValues): SessionItem => ({
  id: values.id,
  name: values.name,
  start: isoOf(values.start_us),
  end: isoOf(values.end_us),
  trace_count: values.trace_count,
  total_cost: values.cost,
  total_tokens: values.tokens,
  latency_ms: values.latency_ns / 1e6,
  ...(values.tags.length > 0 && { tags: values.tags }),
});

/** In the order of code units: databases sort by bytes, which differs beyond the Basic Multilingual Plane. */
export const scoreAggregations = (sums: readonly ScoreSumValues[]): ScoreAggregation[] =>
  sums
    .map(({ name, count, mean, min, max, labelled, booleans }): ScoreAggregation => {
      const data_type = labelled === 0 ? 'numeric' : labelled === booleans ? 'boolean' : 'categorical';
      return { name, avg_score: mean, count, min_score: min, max_score: max, data_type };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
