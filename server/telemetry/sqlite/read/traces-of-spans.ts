import { readId } from '../../../ingest/otlp/identifiers.ts';
import { readStoredId, storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';

/**
 * Finds the traces of spans by span id alone. Span ids have no index (migration 4), so this scans the index of ids by trace once for all
 * spans. Use it for actions of a user, not for lists.
 */
export function findTracesOfSpans(db: OpenDatabase, scope: number, spanIds: readonly string[]): (string | null)[] {
  const wanted = spanIds.map((id) => readId(id, 8));
  const stored = [...new Set(wanted.filter((id) => id !== null))].map(storeId);
  if (stored.length === 0) return wanted.map(() => null);
  const rows = db
    .prepare<unknown[], { trace_id: unknown; span_id: unknown }>(
      `SELECT trace.trace_id, span.span_id FROM span JOIN trace ON trace.id = span.trace
       WHERE +span.span_id IN (${stored.map(() => '?').join()}) AND span.scope = ? ORDER BY span.id`,
    )
    .all(...stored, scope);
  const found = new Map(rows.map(({ trace_id, span_id }) => [readStoredId(span_id), readStoredId(trace_id)]));
  return wanted.map((id) => (id === null ? null : (found.get(id) ?? null)));
}
