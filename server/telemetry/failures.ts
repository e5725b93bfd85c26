/** Failures: spans that failed for the same reason. */
import type { SemanticKind } from '../../shared/contract/tracing/semantic-kinds.ts';
import { semanticKinds as kinds } from '../../shared/contract/tracing/semantic-kinds.ts';
import { toolNameIn } from '../ingest/normalise/index.ts';
import { errorPattern } from './error-pattern.ts';

/** A span that failed, of a trace as the store refers to it. */
export interface FailedSpan<Trace = unknown> {
  trace: Trace;
  start_us: number;
  name: string;
  /** Its code. */
  kind: number;
  model: string | null;
  status_message: string | null;
}

export interface Failure {
  kind: SemanticKind;
  /** The tool or model, otherwise the span. */
  name: string;
  /** The field of filters that has the name. */
  field: 'tool' | 'model' | 'span_name';
  /** The message without what varies. */
  pattern: string;
}

export function failureOf(span: FailedSpan): Failure {
  const kind = kinds[span.kind] ?? 'function';
  return { kind, ...nameOf(kind, span), pattern: errorPattern(span.status_message ?? '') };
}

function nameOf(kind: SemanticKind, { name, model }: FailedSpan): Pick<Failure, 'name' | 'field'> {
  if (kind === 'llm' && model) return { name: model, field: 'model' };
  const tool = kind === 'tool' ? toolNameIn(name) : '';
  return tool === '' ? { name, field: 'span_name' } : { name: tool, field: 'tool' };
}

/** The same for failures that are the same. */
export const failureKey = ({ kind, name, field, pattern }: Failure): string => JSON.stringify([kind, name, field, pattern]);

/** Spans that did not fail because a span below them did. @param keyOf of the id of a span in its trace */
export function causesAmong<Row extends { parent_id: unknown; span_id: unknown }>(
  rows: readonly Row[],
  keyOf: (row: Row, id: unknown) => string,
): Row[] {
  const parents = new Set(rows.filter(({ parent_id }) => parent_id !== null).map((row) => keyOf(row, row.parent_id)));
  return rows.filter((row) => !parents.has(keyOf(row, row.span_id)));
}

/** The failure that most spans have, of several the newest. */
export function mainFailure<Row extends FailedSpan>(errors: readonly Row[]): { failure: Failure; row: Row } | null {
  const groups = [...Map.groupBy(errors, (row) => failureKey(failureOf(row))).values()];
  const [first] = groups.sort((one, other) => other.length - one.length || (other[0]?.start_us ?? 0) - (one[0]?.start_us ?? 0));
  const row = first?.[0];
  return row ? { failure: failureOf(row), row } : null;
}
