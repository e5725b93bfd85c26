/** Drizzle conditions as text, for statements written by hand. */
import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';

/** SQL text with its bound values. */
export interface Bound {
  text: string;
  values: unknown[];
}

const writer = new SQLiteSyncDialect();

export function boundOf(condition: SQL): Bound {
  const { sql, params } = writer.sqlToQuery(condition);
  return { text: sql, values: params };
}
