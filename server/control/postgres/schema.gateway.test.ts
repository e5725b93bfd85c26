/** The schema on PostgreSQL is that on SQLite, as both databases describe it. */
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresServer, withClient } from '../../fixtures/postgres.ts';
import { migrations as sqliteMigrations } from '../sqlite/migrations/index.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';

interface Table {
  /** `name type nullable`, in order. */
  columns: string[];
  primaryKey: string[];
  /** Columns of unique constraints and indexes, with the condition of partial ones. */
  unique: string[];
  indexes: string[];
  /** Columns, the table that they refer to, and what its deletion does. */
  foreignKeys: string[];
}

type Schema = Map<string, Table>;

const types: Record<string, string> = { TEXT: 'text C', INTEGER: 'bigint', REAL: 'double precision', BLOB: 'bytea' };
/** PostgreSQL prints conditions with types and parentheses. */
const condition = (sql: string | null | undefined): string =>
  (sql ?? '')
    .replaceAll('::text', '')
    .replaceAll(/= ANY \(ARRAY\[([^\]]*)\](\[\])?\)/g, 'IN ($1)')
    .replaceAll(/[()\s[\]]+/g, ' ')
    .trim();
const indexed = (columns: readonly string[], where: string | null | undefined) => `${columns.join(', ')} ${condition(where)}`.trim();

function sqliteSchema(): Schema {
  const db = new Database(':memory:');
  for (const sql of sqliteMigrations) db.exec(sql);
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").pluck().all() as string[];
  return new Map(names.map((name) => [name, sqliteTable(db, name)]));
}

function sqliteTable(db: Database.Database, table: string): Table {
  const read = <T>(pragma: string) => db.pragma(pragma) as T[];
  const columns = read<{ name: string; type: string; notnull: number; pk: number }>(`table_info(${table})`);
  const primaryKey = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const indexes = read<{ name: string; unique: number; origin: string }>(`index_list(${table})`)
    .filter(({ origin }) => origin !== 'pk')
    .map(({ name, unique }) => {
      const sql = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name) as string | null;
      const parts = read<{ name: string }>(`index_info(${name})`).map((part) => part.name);
      return { unique, text: indexed(parts, sql?.split(' WHERE ')[1] ?? sql?.split('\n  WHERE ')[1]) };
    });
  const keys = new Map<number, { from: string[]; table: string; on_delete: string }>();
  for (const key of read<{ id: number; from: string; table: string; on_delete: string }>(`foreign_key_list(${table})`))
    keys.set(key.id, { ...key, from: [...(keys.get(key.id)?.from ?? []), key.from] });
  return {
    columns: columns.map(({ name, type, notnull, pk }) => `${name} ${types[type]} ${notnull === 0 && pk === 0 ? 'nullable' : 'required'}`),
    primaryKey: primaryKey.map(({ name }) => name),
    unique: indexes
      .filter(({ unique }) => unique === 1)
      .map(({ text }) => text)
      .toSorted(),
    indexes: indexes
      .filter(({ unique }) => unique === 0)
      .map(({ text }) => text)
      .toSorted(),
    foreignKeys: [...keys.values()].map((key) => `${key.from.join(', ')} ${key.table} ${key.on_delete}`).toSorted(),
  };
}

const columnsSql = `
SELECT table_name, column_name, data_type, collation_name, is_nullable, column_default, is_identity
FROM information_schema.columns WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position`;

const indexesSql = `
SELECT t.relname AS table_name, i.indisprimary, i.indisunique, pg_get_expr(i.indpred, i.indrelid) AS condition,
  array(SELECT a.attname::text FROM unnest(i.indkey::int[]) WITH ORDINALITY AS k(number, place)
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number ORDER BY k.place) AS columns
FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid WHERE t.relnamespace = current_schema()::regnamespace`;

const foreignKeysSql = `
SELECT t.relname AS table_name, r.relname AS referenced, c.confdeltype,
  array(SELECT a.attname::text FROM unnest(c.conkey) WITH ORDINALITY AS k(number, place)
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number ORDER BY k.place) AS columns
FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid
WHERE c.contype = 'f' AND t.relnamespace = current_schema()::regnamespace`;

type Row = Record<string, unknown> & { table_name: string; columns: string[]; condition: string | null };

/** Tables that only PostgreSQL has: that of migrations, and what gateways share while they run. */
const withoutCounterpart: ReadonlySet<string> = new Set([
  'control_migration',
  'bucket',
  'worker_socket',
  'ingest_log',
  'journal',
  'journal_failure',
  'journal_writer',
]);

const postgresSchema = (url: string): Promise<Schema> =>
  withClient(url, async (client) => {
    const read = async (sql: string) => (await client.query<Row>(sql)).rows.filter((row) => !withoutCounterpart.has(row.table_name));
    const schema: Schema = new Map();
    for (const { table_name, column_name, data_type, collation_name, is_nullable } of await read(columnsSql)) {
      const empty: Table = { columns: [], primaryKey: [], unique: [], indexes: [], foreignKeys: [] };
      const { columns } = schema.get(table_name) ?? schema.set(table_name, empty).get(table_name) ?? empty;
      const type = [data_type, ...(collation_name ? [collation_name] : [])].join(' ');
      columns.push(`${column_name} ${type} ${is_nullable === 'YES' ? 'nullable' : 'required'}`);
    }
    for (const row of await read(indexesSql)) {
      const table = schema.get(row.table_name) as Table;
      if (row['indisprimary']) table.primaryKey = row.columns;
      else table[row['indisunique'] ? 'unique' : 'indexes'].push(indexed(row.columns, row.condition));
    }
    for (const row of await read(foreignKeysSql)) {
      const action = row['confdeltype'] === 'c' ? 'CASCADE' : 'NO ACTION';
      schema.get(row.table_name)?.foreignKeys.push(`${row.columns.join(', ')} ${row['referenced']} ${action}`);
    }
    for (const table of schema.values()) for (const list of [table.unique, table.indexes, table.foreignKeys]) list.sort();
    return schema;
  });

const server = await PostgresServer.start();
const database = await server.createDatabase({ isEmpty: true });
const inSqlite = sqliteSchema();
let inPostgres: Schema;

beforeAll(async () => {
  await withClient(database.url, migrate);
  inPostgres = await postgresSchema(database.url);
});
afterAll(async () => {
  await database.drop();
  await server.stop();
});

describe('the schema on PostgreSQL', () => {
  it('has the same tables', () => {
    expect([...inPostgres.keys()].toSorted()).toEqual([...inSqlite.keys()].toSorted());
  });

  it.each([...inSqlite.keys()])('%s', (name) => {
    expect(inPostgres.get(name)).toEqual(inSqlite.get(name));
  });

  it('has no defaults, as on SQLite, and assigns the same numbers', async () => {
    const assigned = await withClient(database.url, async (client) => (await client.query<Row>(columnsSql)).rows);
    const isOurs = ({ table_name }: Row) => !withoutCounterpart.has(table_name);
    const numbered = assigned.filter((row) => isOurs(row) && row['is_identity'] === 'YES').map(({ table_name }) => table_name);
    const db = new Database(':memory:');
    for (const sql of sqliteMigrations) db.exec(sql);
    const automatic = db.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE '%AUTOINCREMENT%'").pluck().all() as string[];
    expect(numbered.toSorted()).toEqual(automatic.toSorted());
    expect(assigned.filter(isOurs).filter(({ column_default }) => column_default !== null)).toEqual([]);
    const defaults = [...inSqlite.keys()].flatMap((name) => db.pragma(`table_info(${name})`) as { dflt_value: unknown }[]);
    expect(defaults.filter(({ dflt_value }) => dflt_value !== null)).toEqual([]);
  });

  it('is created once by gateways that start together', async () => {
    const { url, drop } = await server.createDatabase({ isEmpty: true });
    await Promise.all(Array.from({ length: 5 }, () => withClient(url, migrate)));
    const { rows } = await withClient(url, (client) => client.query('SELECT number FROM control_migration ORDER BY number'));
    expect(rows).toEqual(migrations.map((_, index) => ({ number: index + 1 })));
    await drop();
  });

  it('of a later version is left as it is', async () => {
    const { url, drop } = await server.createDatabase({ isEmpty: true });
    await withClient(url, migrate);
    await withClient(url, (client) => client.query('INSERT INTO control_migration (number) VALUES (1000)'));
    await expect(withClient(url, migrate)).rejects.toMatchObject({ name: 'StorageError', errorKind: 'newer_schema' });
    await drop();
  });

  it('lets entries of the audit log be neither changed nor deleted', () =>
    withClient(database.url, async (client) => {
      await client.query("INSERT INTO audit (at, tenant_id, actor_kind, actor_id, action, target) VALUES ('', 't', 'user', 'u', 'a', 'x')");
      for (const sql of ["UPDATE audit SET actor_id = 'v'", 'DELETE FROM audit', 'TRUNCATE audit'])
        await expect(client.query(sql)).rejects.toThrow('only added to');
    }));
});
