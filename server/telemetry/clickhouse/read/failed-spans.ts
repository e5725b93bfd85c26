/** The spans that failed in some traces, without those that failed because a span below them did. */
import type { Scope } from '../../../platform/scope.ts';
import { causesAmong, type FailedSpan } from '../../failures.ts';
import { statuses } from '../../sqlite/file/codes.ts';
import { partsOf } from '../parameter-lists.ts';
import type { ReadContext } from './read-context.ts';
import { all, integer, integers, raw, sql, texts } from './sql.ts';
import { isAmong } from './trace-facets.ts';
import { isOfApp } from './trace-where.ts';

export interface ErrorRow extends FailedSpan<string> {
  span_id: string;
}

interface FailedRow extends ErrorRow {
  parent_id: string | null;
}

const failed = statuses.indexOf('ERROR');

const columns = "trace_id AS trace, span_id, nullIf(parent_id, '') AS parent_id, start_us, name, kind, model, status_message";

/**
 * In the order of the traces, the newest of each first.
 * @param max spans that are read
 */
export async function causesIn(
  context: ReadContext,
  scope: Scope,
  traceIds: readonly string[],
  max: number,
): Promise<{ errors: ErrorRow[]; isWhole: boolean }> {
  const found: FailedRow[] = [];
  for (const ids of partsOf(traceIds)) {
    if (found.length > max) break;
    const rows = await context.find<FailedRow>(
      scope,
      sql`SELECT ${raw(columns)} FROM span FINAL WHERE ${all([isOfApp, isAmong(ids), sql`status = ${integer(failed)}`])}
          ORDER BY transform(trace_id, ${texts(ids)}, ${integers(ids.map((_, place) => place))}, ${integer(ids.length)}), start_us DESC
          LIMIT ${integer(max + 1 - found.length)}`,
    );
    found.push(...rows);
  }
  return { errors: causesAmong(found.slice(0, max), ({ trace }, id) => `${trace} ${id}`), isWhole: found.length <= max };
}
