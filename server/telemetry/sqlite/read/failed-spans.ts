/** The spans that failed in some traces, without those that failed because a span below them did. */
import type { SemanticKind } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import { toolNameIn } from '../../../ingest/normalise/index.ts';
import { errorPattern } from '../../error-pattern.ts';
import { kinds, statuses } from '../file/codes.ts';
import { readStoredId } from '../file/id-codec.ts';
import type { ReadContext } from './read-context.ts';
import { isVisible } from './span-wire.ts';
import { inTime } from './time-limit.ts';

export interface ErrorRow {
  id: number;
  trace: number;
  span_id: unknown;
  start_us: number;
  name: string;
  kind: number;
  model: string | null;
  status_message: string | null;
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
    return { errors: causesAmong(found.slice(0, this.#max)), isWhole: found.length <= this.#max };
  }
}

function causesAmong(rows: readonly FailedRow[]): ErrorRow[] {
  const parents = new Set(rows.filter(({ parent_id }) => parent_id !== null).map(({ trace, parent_id }) => keyOf(trace, parent_id)));
  return rows.filter(({ trace, span_id }) => !parents.has(keyOf(trace, span_id)));
}

const keyOf = (trace: number, id: unknown): string => `${trace} ${readStoredId(id)}`;

export interface Failure {
  kind: SemanticKind;
  /** The tool or model, otherwise the span. */
  name: string;
  /** The field of filters that has the name. */
  field: 'tool' | 'model' | 'span_name';
  /** The message without what varies. */
  pattern: string;
}

export function failureOf(row: ErrorRow): Failure {
  const kind = kinds[row.kind] ?? 'function';
  return { kind, ...nameOf(kind, row), pattern: errorPattern(row.status_message ?? '') };
}

function nameOf(kind: SemanticKind, { name, model }: ErrorRow): Pick<Failure, 'name' | 'field'> {
  if (kind === 'llm' && model) return { name: model, field: 'model' };
  const tool = kind === 'tool' ? toolNameIn(name) : '';
  return tool === '' ? { name, field: 'span_name' } : { name: tool, field: 'tool' };
}

/** The same for failures that are the same. */
export const failureKey = ({ kind, name, field, pattern }: Failure): string => JSON.stringify([kind, name, field, pattern]);
