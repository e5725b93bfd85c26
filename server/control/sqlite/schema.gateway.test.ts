/** The drizzle tables are those that the migrations create. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { places } from '../queries/sealed-text-rows.ts';
import { migrations } from './migrations/index.ts';

const folder = join(import.meta.dirname, '../queries/schema');
const files = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))));
const tables = files.flatMap((file) => Object.values(file)).filter((value) => is(value, SQLiteTable));

function migrated() {
  const db = new Database(':memory:');
  for (const sql of migrations) db.exec(sql);
  return db;
}

it.each(tables.map((table) => [getTableConfig(table).name, table] as const))('%s', (name, table) => {
  const stored = migrated().pragma(`table_info(${name})`) as { name: string; type: string; notnull: number; pk: number }[];
  const declared = getTableConfig(table).columns.map((column) => ({
    name: column.name,
    type: column.getSQLType().toUpperCase(),
    nullable: !column.notNull,
  }));
  expect(declared).toEqual(stored.map(({ name, type, notnull, pk }) => ({ name, type, nullable: notnull === 0 && pk === 0 })));
});

it('no table is missing', () => {
  const all = migrated().prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").pluck().all();
  expect(new Set(tables.map((table) => getTableConfig(table).name))).toEqual(new Set(all));
});

it('every sealed text takes part in a change of the secret', () => {
  const stored = tables.flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    return columns.filter((column) => column.name.startsWith('sealed')).map((column) => `${name}.${column.name}`);
  });
  const changed = Object.values(places).map(({ table, sealed }) => `${getTableConfig(table).name}.${sealed.name}`);
  expect(changed.sort()).toEqual(stored.sort());
});

it('entries of the audit log cannot be changed or deleted', () => {
  const db = migrated();
  const insert = "INSERT INTO audit (at, tenant_id, actor_kind, actor_id, action, target) VALUES ('', 't', 'user', 'u', 'a', 'x')";
  db.exec(insert);
  expect(() => db.exec("UPDATE audit SET actor_id = 'v'")).toThrow('only added to');
  expect(() => db.exec('DELETE FROM audit')).toThrow('only added to');
});
