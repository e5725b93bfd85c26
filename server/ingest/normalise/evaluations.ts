/**
 * Evaluation results in telemetry: the event `gen_ai.evaluation.result` of the GenAI conventions, on the evaluated span or as a log record
 * with its ids.
 */
import type { RawAttribute, RawEvent, RawLog, RawValue } from '../otlp/raw-span.ts';
import { textOf } from './attributes.ts';

/** A score before it has an id. */
export interface Evaluation {
  trace_id: string;
  /** The evaluated span. */
  span_id: string;
  name: string;
  score: number;
  label: string;
  reason: string;
  /** Unsigned nanoseconds, decimal; '0' when absent. */
  time_ns: string;
}

const RESULT_EVENT = 'gen_ai.evaluation.result';

/** Scores of labels, for senders without a numeric score. The conventions name these labels. */
const valuesOfLabel = new Map([
  ['pass', 1],
  ['passed', 1],
  ['true', 1],
  ['yes', 1],
  ['correct', 1],
  ['relevant', 1],
  ['fail', 0],
  ['failed', 0],
  ['false', 0],
  ['no', 0],
  ['incorrect', 0],
  ['not_relevant', 0],
]);

type Ids = Pick<Evaluation, 'trace_id' | 'span_id'>;

/**
 * The evaluations in a span's events.
 * @param warn called for evaluations that cannot be stored as a score
 */
export function evaluationsIn(ids: Ids, events: readonly RawEvent[], warn: (text: string) => void): Evaluation[] {
  return events.flatMap((event) => (event.name === RESULT_EVENT ? evaluationOf(ids, event.time_ns, event.attributes, warn) : []));
}

/** As `evaluationsIn`, for a log record. Older senders put the attributes into its body. */
export function evaluationsInLog(log: RawLog, warn: (text: string) => void): Evaluation[] {
  if (log.name !== RESULT_EVENT) return [];
  const { body } = log;
  const inBody = typeof body === 'object' && body !== null && !Array.isArray(body) && 'map' in body ? body.map : [];
  const time_ns = log.time_ns === '0' ? log.observed_ns : log.time_ns;
  return evaluationOf(log, time_ns, [...inBody, ...log.attributes], warn);
}

function evaluationOf(
  { trace_id, span_id }: Ids,
  time_ns: string,
  attributes: readonly RawAttribute[],
  warn: (text: string) => void,
): Evaluation[] {
  const values = new Map<string, RawValue>(attributes);
  const text = (name: string) => textOf(values.get(`gen_ai.evaluation.${name}`)).trim();
  const name = text('name');
  const label = text('score.label');
  const score = numberOf(values.get('gen_ai.evaluation.score.value')) ?? valuesOfLabel.get(label.toLowerCase());
  // A failed evaluator has no result.
  if (values.has('error.type') && score === undefined) return [];
  if (name === '' || score === undefined) {
    warn(name === '' ? 'an evaluation without gen_ai.evaluation.name is not stored as a score' : withoutScore(name));
    return [];
  }
  return [{ trace_id, span_id, name, score, label, reason: text('explanation'), time_ns }];
}

const withoutScore = (name: string): string => `the evaluation ${name} has no gen_ai.evaluation.score.value and is not stored as a score`;

function numberOf(value: RawValue | undefined): number | undefined {
  if (value === undefined || value === null || value === '' || typeof value === 'boolean' || Array.isArray(value)) return undefined;
  const number = Number(typeof value === 'object' ? textOf(value) : value);
  return Number.isFinite(number) ? number : undefined;
}
