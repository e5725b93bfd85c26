/** The first page of a long list, newest first: only the newest hours are read for its rows, and little of the others for the total. */
import type { PageQuery } from '../../../platform/page.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { ReadContext } from './read-context.ts';
import { integer, raw, type Sql, sql } from './sql.ts';
import { isOfApp } from './trace-where.ts';

export interface NewestRows {
  table: 'trace' | 'span';
  /** Of the keys of its rows. */
  columns: string;
  condition: Sql;
  order: string;
}

/** A later page reads more than the order of all rows costs. */
const rowsMax = 2000;
/** Rows of the hours that are read for each row that is wanted: some are older versions, or are left out by the conditions. */
const spare = 4;
const spareMin = 1000;

/** Null when the newest hours do not suffice. The total is of the same moment: both parts of a query read the same rows. */
export async function newestRows<Row>(
  context: ReadContext,
  scope: Scope,
  { table, columns, condition, order }: NewestRows,
  { limit, offset }: PageQuery,
): Promise<{ rows: Row[]; total: number } | null> {
  if (limit + offset > rowsMax) return null;
  const hour = await firstHour(context, scope, table, (limit + offset) * spare + spareMin);
  if (hour === null) return null;
  const rows = await context.find<Row & { total: number }>(
    scope,
    sql`SELECT ${raw(columns)}, (SELECT count() FROM ${raw(table)} FINAL WHERE ${condition}) AS total FROM ${raw(table)} FINAL
        WHERE ${condition} AND (hour = 0 OR hour >= ${integer(hour)}) ORDER BY ${raw(order)} LIMIT ${integer(limit)} OFFSET ${integer(offset)}`,
  );
  return rows.length < limit ? null : { rows, total: rows[0]?.total ?? 0 };
}

/** The hour from which on the app has so many rows; null if it does not have more. Times that cannot be right have no hour. */
async function firstHour(context: ReadContext, scope: Scope, table: string, wanted: number): Promise<number | null> {
  const hours = await context.find<{ hour: number; rows: number }>(
    scope,
    sql`SELECT hour, count() AS rows FROM ${raw(table)} WHERE ${isOfApp} AND hour > 0 GROUP BY hour ORDER BY hour DESC`,
  );
  let count = 0;
  for (const { hour, rows } of hours.slice(0, -1)) {
    count += rows;
    if (count >= wanted) return hour;
  }
  return null;
}
