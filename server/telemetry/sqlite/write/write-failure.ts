/** What to do about a request that could not be written. */
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import { StorageError } from '../../storage-error.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';

/** Unexpected failures of a damaged store count as damage: a row that is missing in an index, for example, can be written twice. */
export function failureOf(error: unknown, isDamaged: boolean): StorageError {
  if (error instanceof StorageError) return error;
  const errorKind = storageErrorKind(error) ?? (isDamaged ? 'corrupt' : 'mistake');
  return new StorageError(errorKind, error instanceof Error ? (error.stack ?? error.message) : String(error));
}

/** The parts of a batch, by trace. */
export function byTrace(batch: PreparedBatch): PreparedBatch[] {
  const ids = new Set([...batch.spans, ...batch.logs].map(({ trace_id }) => trace_id));
  const isOfTrace = (id: string) => (item: { trace_id: string }) => item.trace_id === id;
  return [...ids].map((id) => ({
    ...batch,
    spans: batch.spans.filter(isOfTrace(id)),
    logs: batch.logs.filter(isOfTrace(id)),
    evaluations: batch.evaluations.filter(isOfTrace(id)),
  }));
}

/** Message for a span or log record that is refused because its trace is damaged. */
export const damagedTrace = ({ span_id, trace_id }: { span_id: string; trace_id: string }): string =>
  `span ${span_id} of trace ${trace_id}: the stored part of this trace is damaged, so nothing can be added to it`;
