import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StorageError } from '../../storage-error.ts';
import { migrations } from '../migrations/index.ts';
import { migrate, telemetrySchema } from './migrate.ts';
import { openWriter } from './open.ts';
import * as schema from './schema.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glasshouse-migrate-'));
  file = join(folder, 'telemetry.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Db = Database.Database;

const versionOf = (db: Db): unknown => db.pragma('user_version', { simple: true });
const layoutOf = (db: Db): unknown[] => db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

const columnsOf = (db: Db, table: string): Column[] => db.pragma(`table_xinfo(${table})`) as Column[];

/** A store as an earlier version left it. */
function storeAtVersion(version: number): Db {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  migrate(db, telemetrySchema, version);
  return db;
}

const refusal = (run: () => unknown): StorageError => {
  try {
    run();
  } catch (error) {
    if (error instanceof StorageError) return error;
    throw error;
  }
  throw new Error('it was not refused');
};

describe('migrations', () => {
  it('bring an empty file to the newest schema and set the application id', () => {
    const db = openWriter(file);
    expect(versionOf(db)).toBe(migrations.length);
    expect(db.pragma('application_id', { simple: true })).toBe(telemetrySchema.applicationId);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  });

  it('change nothing the second time', () => {
    openWriter(file).close();
    const before = readFileSync(file);
    openWriter(file).close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each(migrations.map((_, index) => index))('from version %i lead to the same schema as a fresh store', (version) => {
    const fresh = new Database(':memory:');
    migrate(fresh);
    storeAtVersion(version).close();
    const upgraded = openWriter(file);
    expect(versionOf(upgraded)).toBe(migrations.length);
    expect(layoutOf(upgraded)).toEqual(layoutOf(fresh));
    for (const db of [upgraded, fresh]) db.close();
  });

  it('that fail half way leave the store unchanged', () => {
    const db = storeAtVersion(0);
    db.exec('CREATE TABLE span (mine TEXT)');
    const before = layoutOf(db);
    expect(() => migrate(db)).toThrow();
    expect([versionOf(db), layoutOf(db)]).toEqual([0, before]);
    db.close();
  });

  it('compute the longest span of each trace and session in older stores', () => {
    const db = storeAtVersion(2);
    const insert = (table: string, row: Record<string, unknown>) => {
      const keys = Object.keys(row);
      db.prepare(`INSERT INTO ${table} (${keys.join(', ')}) VALUES (${keys.map((key) => `@${key}`).join(', ')})`).run(row);
    };
    const zeros = { scope: 1, trace: 1, name: 0, start_us: 0, start_rest_ns: 0, status: 0, type: 0, kind: 0, cost_source: 0, resource: 0 };
    const span = { ...zeros, instrumentation: 0, block: 0, at: 0, size: 0, flags: 0 };
    insert('trace', { id: 1, scope: 1, trace_id: 'one', span_count: 2, latency_ns: 5 });
    insert('trace_term', { term: 9, trace: 1 });
    insert('session', { id: 9, scope: 1, name: '', start_us: 0, end_us: 0, trace_count: 1, cost: 0, tokens: 0, latency_ns: 5, tags: '[]' });
    insert('span', { ...span, span_id: 'root', duration_ns: 5 });
    insert('span', { ...span, span_id: 'background', duration_ns: 70 });
    insert('span', { ...span, span_id: 'placeholder', duration_ns: 900, flags: 2 });
    db.close();
    const upgraded = openWriter(file);
    expect(upgraded.prepare('SELECT longest_ns FROM trace').pluck().all()).toEqual([70]);
    expect(upgraded.prepare('SELECT latency_ns FROM session').pluck().all()).toEqual([70]);
    upgraded.close();
  });

  it('keep what was stored before', () => {
    const db = storeAtVersion(1);
    db.exec("INSERT INTO scope (id, tenant_id, app_id) VALUES (7, 'tenant', 'app')");
    db.close();
    const upgraded = openWriter(file);
    expect(upgraded.prepare('SELECT tenant_id FROM scope WHERE id = 7').pluck().get()).toBe('tenant');
    upgraded.close();
  });
});

describe('a store of a later version', () => {
  const newer = (journal: 'wal' | 'delete'): Buffer => {
    const db = storeAtVersion(migrations.length);
    db.exec('CREATE TABLE later_table (id INTEGER PRIMARY KEY)');
    db.pragma(`user_version = ${migrations.length + 1}`);
    db.pragma(`journal_mode = ${journal}`);
    db.close();
    return readFileSync(file);
  };

  it.each(['wal', 'delete'] as const)(
    'is refused with a message that says what to do, and no byte of it changes (journal: %s)',
    (journal) => {
      const before = newer(journal);
      const { errorKind, message } = refusal(() => openWriter(file));
      expect(errorKind).toBe('newer_schema');
      expect(message).toContain(`schema ${migrations.length + 1}`);
      expect(message).toContain('--data');
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  it('keeps what a crash left in its log', () => {
    newer('wal');
    const other = new Database(file);
    other.exec('INSERT INTO later_table (id) VALUES (1)');
    const crashed = join(folder, 'crashed.db');
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, crashed + suffix);
    other.close();
    const before = ['', '-wal'].map((suffix) => readFileSync(crashed + suffix));
    expect(refusal(() => openWriter(crashed)).errorKind).toBe('newer_schema');
    expect(['', '-wal'].map((suffix, index) => readFileSync(crashed + suffix).equals(before[index] as Buffer))).toEqual([true, true]);
  });
});

describe('the drizzle tables', () => {
  const tables: SQLiteTable[] = Object.values(schema);

  it.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
    '%s has the columns, types and nullability of the store',
    (name, table) => {
      const db = new Database(':memory:');
      migrate(db);
      const declared = getTableConfig(table).columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().toUpperCase(),
        nullable: !column.notNull,
      }));
      const stored = columnsOf(db, name).map(({ name: column, type, notnull, pk }) => ({
        name: column,
        type: type.toUpperCase(),
        nullable: notnull === 0 && pk === 0,
      }));
      expect(declared).toEqual(stored);
      db.close();
    },
  );

  it('read back every value that the strict types of the store allow', () => {
    const db = new Database(':memory:');
    migrate(db);
    for (const table of tables) {
      const { name, columns } = getTableConfig(table);
      const defaults = new Map(columnsOf(db, name).map(({ name: column, dflt_value }) => [column, dflt_value]));
      for (const column of columns) {
        if (column.hasDefault && !column.primary) expect(defaults.get(column.name), `${name}.${column.name}`).not.toBeNull();
      }
    }
    db.close();
  });
});
