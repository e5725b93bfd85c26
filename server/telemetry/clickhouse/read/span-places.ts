/** Finds spans by their id alone. */
import type { SpanFull } from '../../../../shared/contract/tracing/span-by-id.ts';
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { partsOf } from '../parameter-lists.ts';
import type { ReadContext } from './read-context.ts';
import { raw, sql, text, texts } from './sql.ts';
import { isOfApp } from './trace-where.ts';

/** The trace of each span, of two spans with the same id that of the later one. */
export async function tracesOfSpans(context: ReadContext, scope: Scope, spanIds: readonly string[]): Promise<Encoded<(string | null)[]>> {
  const wanted = spanIds.map((id) => readId(id, 8));
  const ids = [...new Set(wanted.filter((id) => id !== null))];
  const found = new Map<string, string>();
  for (const part of partsOf(ids)) {
    const rows = await context.find<{ span_id: string; trace: string }>(
      scope,
      sql`SELECT span_id, argMax(trace_id, arrival) AS trace FROM span FINAL WHERE ${isOfApp} AND span_id IN ${texts(part)} GROUP BY span_id`,
    );
    for (const { span_id, trace } of rows) found.set(span_id, trace);
  }
  return Encoded.of(wanted.map((id) => (id === null ? null : (found.get(id) ?? null))));
}

/** The span with all of its payload, of two with the same id the one in the newer trace. */
export async function spanById(context: ReadContext, scope: Scope, spanId: string): Promise<Encoded<SpanFull> | null> {
  const id = readId(spanId, 8);
  if (id === null) return null;
  const [place] = await context.find<{ trace_id: string }>(
    scope,
    sql`SELECT trace_id FROM trace FINAL WHERE ${isOfApp}
          AND trace_id IN (SELECT trace_id FROM span FINAL WHERE ${isOfApp} AND span_id = ${text(id)})
        ORDER BY ${raw('listed_us DESC, arrival DESC')} LIMIT 1`,
  );
  return place ? context.over(scope, [place.trace_id]).search.span(scope, id) : null;
}
