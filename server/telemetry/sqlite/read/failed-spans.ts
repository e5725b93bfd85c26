/** The spans that failed in some traces, without those that failed because a span below them did. */
import { causesAmong, type FailedSpan } from '../../failures.ts';
import { statuses } from '../file/codes.ts';
import { readStoredId } from '../file/id-codec.ts';
import type { ReadContext } from './read-context.ts';
import { isVisible } from './span-wire.ts';
import { inTime } from './time-limit.ts';

export interface ErrorRow extends FailedSpan<number> {
  id: number;
  span_id: unknown;
}

interface FailedRow extends ErrorRow {
  parent_id: unknown;
}

const failed = statuses.indexOf('ERROR');

export class FailedSpans {
  readonly #context: ReadContext;
  readonly #max: number;
  readonly #errors;

  /** @param max spans that are read */
  constructor(context: ReadContext, max: number) {
    this.#context = context;
    this.#max = max;
    this.#errors = context.db.prepare<[string], FailedRow>(
      `SELECT span.id, span.trace, span.span_id, span.parent_id, span.start_us, coalesce(name.value, '') AS name, span.kind, model.value AS model, span.status_message
       FROM json_each(?) AS place CROSS JOIN span ON span.trace = place.value
       LEFT JOIN term AS name ON name.id = span.name LEFT JOIN term AS model ON model.id = span.model
       WHERE span.status = ${failed} AND ${isVisible} AND ${inTime('span.id')}
       ORDER BY place.key, span.start_us DESC LIMIT ${max + 1}`,
    );
  }

  /** In the order of the traces, the newest of each first. */
  causesIn(traces: readonly number[]): { errors: ErrorRow[]; isWhole: boolean } {
    const { damageReporter } = this.#context;
    const found = damageReporter.read('database', 'errors of traces', () => this.#errors.all(JSON.stringify(traces))) ?? [];
    return { errors: causesAmong(found.slice(0, this.#max), keyOf), isWhole: found.length <= this.#max };
  }
}

const keyOf = ({ trace }: FailedRow, id: unknown): string => `${trace} ${readStoredId(id)}`;
