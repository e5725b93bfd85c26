/** Rows as they are inserted and read as JSON. Columns that are left out have their default. */
import type { RunawayRule } from '../../../shared/contract/tracing/runaway-rules.ts';
import type { EnvironmentAttribution } from '../../platform/environment-attribution.ts';

/** A span as it was prepared for the store. */
export interface RecordRow {
  trace_id: string;
  span_id: string;
  arrival: number;
  received_ms: number;
  /** See `attributionText`. */
  attribution: string;
  prepared: string;
  resource: string;
  instrumentation: string;
  record: string;
  texts: string[];
}

/** A log record; its ids are as sent. */
export interface LogRow {
  trace_id: string;
  span_id: string;
  conversation: string;
  hash: string;
  arrival: number;
  received_ms: number;
  attribution: string;
  turn: string;
  resource: string;
  record: string;
  texts: string[];
}

export interface TextRow {
  hash: string;
  text: string;
}

/** A large text is in a blob, and '' here. */
export interface StoredTextRow extends TextRow {
  /** Hash and generation in the key of its blob; '' for a text that is here. */
  blob?: string;
  blob_bytes?: number;
  words?: string;
  may_have_others?: 0 | 1;
}

export interface PlaceRow {
  trace_id: string;
  arrival: number;
  hour: number;
  listed_us: number;
  added_tags: string[];
  span_hours: number[];
  conversations: string[];
}

export interface ScoreRow {
  resource: string;
  created_ms: number;
  score_id: string;
  arrival: number;
  resource_id: string;
  name: string;
  score: number;
  label: string;
  reason: string;
  source: string;
  user_id: string | null;
  session_id: string | null;
  environment: string | null;
  environment_version: number | null;
}

export interface SpanHotRow {
  hour: number;
  trace_id: string;
  span_id: string;
  score_key: string;
  parent_id: string;
  arrival: number;
  name: string;
  start_us: number;
  start_rest_ns: number;
  duration_ns: number;
  status: number;
  type: number;
  kind: number;
  flags: number;
  status_message: string;
  model: string;
  service: string;
  session: string;
  user: string;
  prompt: string;
  trace_name: string;
  finish_reason: string;
  input_tokens: number | null;
  output_tokens: number | null;
  tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
  cost: number | null;
  cost_source: number;
  ttft_us: number | null;
  metadata: Record<string, string>;
  tags: string[];
  environment: string | null;
  environment_version: number | null;
}

export interface TraceRow {
  hour: number;
  trace_id: string;
  score_key: string;
  arrival: number;
  name: string;
  status: number;
  start_us: number;
  end_us: number;
  listed_us: number;
  latency_ns: number;
  longest_ns: number;
  cost: number;
  tokens: number;
  input_tokens: number;
  output_tokens: number;
  span_count: number;
  error_count: number;
  pending_count: number;
  bookkeeping: number;
  root_span: string;
  root_service: string;
  session: string;
  user: string;
  metadata: Record<string, string>;
  session_name: string;
  prompt_name: string;
  trace_name: string;
  input_span: string;
  output_span: string;
  input_preview: string;
  output_preview: string;
  tags: string[];
  added_tags: string[];
  terms: [key: string, value: string][];
}

/** A sign of a runaway. */
export interface RunawayRow {
  trace_id: string;
  rule: RunawayRule;
  service: string;
  subject: string;
  value: number;
  cost: number;
  cost_per_minute: number;
  found_ms: number;
  updated_ms: number;
  /** 0 while the run goes on. */
  ended_ms: number;
}

/** A row that no longer holds, by its key. */
type Tombstone<Row, Key extends keyof Row> = Pick<Row, Key> & { gone: 1 };

export type SpanChange = SpanHotRow | Tombstone<SpanHotRow, 'hour' | 'trace_id' | 'span_id'>;
export type RunawayChange = RunawayRow | Tombstone<RunawayRow, 'trace_id' | 'rule'>;
export type TraceChange = TraceRow | Tombstone<TraceRow, 'hour' | 'trace_id'>;

/** Text of the environment of a write, for its row. */
export const attributionText = (attribution: EnvironmentAttribution | null): string => (attribution ? JSON.stringify(attribution) : '');

export const readAttribution = (text: string): EnvironmentAttribution | null =>
  text === '' ? null : (JSON.parse(text) as EnvironmentAttribution);

const hourUs = 3600 * 1e6;
/** Outside these years a time cannot be right; such rows share one partition, so that a sender cannot make thousands of them. */
const firstHour = Date.UTC(2015, 0, 1) / 3.6e6;
const lastHour = Date.UTC(2040, 0, 1) / 3.6e6;

/** The hour of a time in microseconds, as in the keys of spans and traces. */
export function hourOf(us: number): number {
  const hour = Math.floor(us / hourUs);
  return hour >= firstHour && hour < lastHour ? hour : 0;
}

/** Condition that a row may be of a range of time; its parameters are those of `hoursBetween`. It selects the parts of a table to read. */
export const inHours = '(hour = 0 OR hour BETWEEN {first_hour:UInt32} AND {last_hour:UInt32})';

/** @param to_us included, like the first */
export function hoursBetween(from_us: number, to_us: number): { first_hour: number; last_hour: number } {
  return { first_hour: hourOf(from_us), last_hour: to_us >= lastHour * hourUs ? lastHour : hourOf(to_us) };
}
