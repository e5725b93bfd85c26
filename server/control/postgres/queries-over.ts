/**
 * Drizzle's builder for SQLite over connections to PostgreSQL (ADR 048). The queries use only SQL that both speak, apart from the
 * placeholders.
 */
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { type CustomTypesConfig, type QueryArrayResult, types } from 'pg';
import type { Queries } from '../queries/control-database.ts';

/** A pool, or one connection of it. */
interface Connection {
  query(query: { text: string; values: unknown[]; rowMode: 'array'; types: CustomTypesConfig }): Promise<QueryArrayResult>;
}

const { INT8, NUMERIC } = types.builtins;

/** Counts and sums are numbers, as in SQLite. */
const numbers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format as 'text'),
};

const quotedOrPlaceholder = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\?/g;

/** `$1`, `$2`… for `?`, except within names and texts. */
export function withNumberedPlaceholders(sql: string): string {
  let number = 0;
  return sql.replace(quotedOrPlaceholder, (part) => (part === '?' ? `$${++number}` : part));
}

/** PostgreSQL cannot store the character 0 in a text. */
const storable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

export const queriesOver = (connection: Connection): Queries =>
  drizzle(async (sql, params, method) => {
    const text = withNumberedPlaceholders(sql);
    const { rows, rowCount } = await connection.query({ text, values: params.map(storable), rowMode: 'array', types: numbers });
    return { rows: method === 'get' ? (rows[0] as unknown[]) : rows, changes: rowCount ?? 0 };
  }) as unknown as Queries;
