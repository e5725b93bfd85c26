import type { RunawayRule } from '../../../shared/contract/tracing/runaway-rules.ts';
import type { PreparedSpan } from '../../ingest/prepare/prepared.ts';

/** What the rules read of a span. */
export type Step = Pick<
  PreparedSpan,
  | 'span_id'
  | 'name'
  | 'semantic_kind'
  | 'service_name'
  | 'model'
  | 'status'
  | 'pending'
  | 'placeholder'
  | 'bookkeeping'
  | 'usage_aggregate'
  | 'start_us'
  | 'duration_ns'
  | 'input_tokens'
  | 'arguments_hash'
  | 'result_hash'
>;

/** A sign that a run goes on without getting anywhere. */
export interface Sign {
  rule: RunawayRule;
  /** The tool or model; '' where the rule is about the whole run. */
  subject: string;
  /** In the unit of the rule's threshold. */
  value: number;
}

/** Milliseconds since the epoch. */
export const endOf = ({ start_us, duration_ns }: Pick<Step, 'start_us' | 'duration_ns'>): number => start_us / 1000 + duration_ns / 1e6;

/** Mixes two numbers of at most 53 bits into one; the order matters. */
export function mix(a: number, b: number): number {
  const low = Math.imul((a % 2 ** 32) ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b % 2 ** 32, 0xc2b2ae35);
  const high = Math.imul(Math.floor(a / 2 ** 21) ^ 0x27d4eb2f, 0x165667b1) ^ Math.imul(Math.floor(b / 2 ** 21), 0x9e3779b1);
  return ((low ^ (high >>> 15)) >>> 0) * 2 ** 21 + ((high ^ (low >>> 13)) >>> 11);
}

/** A number for a name; equal for equal names. */
export function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
