/**
 * Copies the control store of a data folder to PostgreSQL: every row of every table, in one transaction that compares what it wrote before it
 * commits. Until then nobody can sign in or send anything over there.
 */
import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { controlFile, isCurrent } from '../../control/sqlite/open.ts';
import type { Scope } from '../../platform/scope.ts';
import { StartRefusal } from '../../platform/start-refusal.ts';
import { type OpenDatabase, openReader } from '../../telemetry/sqlite/file/open.ts';

/** PostgreSQL has 65,535 parameters in a statement. */
const parametersMax = 30_000;
const rowsAtOnce = 500;
const bytesAtOnce = 16 * 1024 * 1024;
/** Of a table with bytes, which may have 5 MB in a row. */
const rowsWithBytesAtOnce = 4;

/** Gateways have some of their own in an empty cluster: they end by themselves, and are not compared. */
const leases = 'lease';

/** SQLSTATE of a table or column that is not there. */
const absent = new Set(['42P01', '42703']);

type Values = unknown[];

interface ControlTable {
  name: string;
  columns: string[];
  hasBytes: boolean;
  /** A number that the database assigns. */
  assigned: string | null;
}

export interface CopiedTable {
  name: string;
  rows: number;
}

export class ControlMigration {
  readonly #db: OpenDatabase;
  readonly #postgres: ClientBase;
  readonly #tables: ControlTable[];

  /** @param postgres with any schema, or none, until `copy`, which needs the current one. @throws StartRefusal when there is no store of this version */
  constructor(dataDir: string, postgres: ClientBase) {
    const file = controlFile(dataDir);
    if (!isCurrent(file))
      throw new StartRefusal(`${file} is of an earlier version: start its gateway in this version once, which migrates it`);
    this.#db = openReader(file);
    this.#postgres = postgres;
    this.#tables = tablesOf(this.#db);
  }

  close(): void {
    this.#db.close();
  }

  /** Those that this store does not have, and has not deleted. */
  unknown<App extends Scope>(apps: readonly App[]): App[] {
    const known = this.#db
      .prepare<[string, string, string, string], number>(
        `SELECT EXISTS (SELECT 1 FROM app WHERE tenant_id = ? AND id = ?) OR EXISTS (SELECT 1 FROM app_erasure WHERE tenant_id = ? AND app_id = ?)`,
      )
      .pluck();
    return apps.filter(({ tenant_id, app_id }) => known.get(tenant_id, app_id, tenant_id, app_id) === 0);
  }

  /**
   * Whether everything was copied already.
   * @throws StartRefusal when PostgreSQL has anything else
   */
  async isDone(): Promise<boolean> {
    const used = await this.#usedTables();
    if (used.length === 0) return false;
    if (await this.#isEqual()) return true;
    throw new StartRefusal(
      `The database of GLASSHOUSE_POSTGRES_URL has records of its own (${used.slice(0, 5).join(', ')}): name an empty one. After the move its gateways ` +
        'change it, and nothing can be moved there again.',
    );
  }

  async #usedTables(): Promise<string[]> {
    const used: string[] = [];
    for (const { name } of this.#tables) {
      if (name === leases || !(await this.#exists(name))) continue;
      const { rows } = await this.#postgres.query<{ used: boolean }>(`SELECT EXISTS (SELECT 1 FROM "${name}") AS used`);
      if (rows[0]?.used) used.push(name);
    }
    return used;
  }

  async #exists(name: string): Promise<boolean> {
    const { rows } = await this.#postgres.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [`"${name}"`]);
    return rows[0]?.exists === true;
  }

  async #isEqual(): Promise<boolean> {
    try {
      return (await this.#differences()).length === 0;
    } catch (error) {
      // A schema of another version was not filled by this one.
      if (absent.has(String((error as { code?: unknown }).code))) return false;
      throw error;
    }
  }

  /**
   * @returns the tables that were copied, or those that differ; then nothing was copied
   */
  async copy(): Promise<{ copied: CopiedTable[] } | { different: string[] }> {
    await this.#postgres.query('BEGIN');
    try {
      const copied: CopiedTable[] = [];
      for (const table of this.#tables) copied.push({ name: table.name, rows: await this.#copyTable(table) });
      const different = await this.#differences();
      await this.#postgres.query(different.length > 0 ? 'ROLLBACK' : 'COMMIT');
      return different.length > 0 ? { different } : { copied };
    } catch (error) {
      // A connection that was lost has rolled back, and the reason is the first error.
      await this.#postgres.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async #copyTable({ name, columns, assigned }: ControlTable): Promise<number> {
    let count = 0;
    for (const rows of this.#pages(name, columns)) {
      const parameters = rows.map((_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`).join(', ')})`);
      const names = columns.map((column) => `"${column}"`).join(', ');
      const onConflict = name === leases ? ' ON CONFLICT DO NOTHING' : '';
      await this.#postgres.query(`INSERT INTO "${name}" (${names}) VALUES ${parameters.join(', ')}${onConflict}`, rows.flat());
      count += rows.length;
    }
    if (assigned && count > 0) {
      const last = `(SELECT max("${assigned}") FROM "${name}")`;
      await this.#postgres.query(`SELECT setval(pg_get_serial_sequence('"${name}"', '${assigned}'), ${last})`);
    }
    return count;
  }

  /** Rows as they are stored in PostgreSQL, some at a time. */
  *#pages(name: string, columns: readonly string[]): Generator<Values[]> {
    const names = columns.map((column) => `"${column}"`).join(', ');
    const rowsMax = Math.min(rowsAtOnce, Math.floor(parametersMax / columns.length));
    let [page, bytes]: [Values[], number] = [[], 0];
    for (const row of this.#db.prepare<[], Values>(`SELECT ${names} FROM "${name}"`).raw().iterate()) {
      page.push(row.map(storable));
      bytes += row.reduce<number>((sum, value) => sum + (typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8), 0);
      if (page.length < rowsMax && bytes < bytesAtOnce) continue;
      yield page;
      [page, bytes] = [[], 0];
    }
    if (page.length > 0) yield page;
  }

  /** Names of the tables whose rows differ. */
  async #differences(): Promise<string[]> {
    const different: string[] = [];
    for (const { name, columns, hasBytes } of this.#tables) {
      if (name === leases) continue;
      const here = new RowSum();
      for (const page of this.#pages(name, columns)) for (const row of page) here.add(row);
      const there = new RowSum();
      await this.#stored(name, columns, hasBytes ? rowsWithBytesAtOnce : rowsAtOnce, (row) => there.add(row));
      if (here.text !== there.text) different.push(`${name} (${here.rows} rows here, ${there.rows} there)`);
    }
    return different;
  }

  async #stored(name: string, columns: readonly string[], atOnce: number, onRow: (row: Values) => void): Promise<void> {
    const names = columns.map((column) => `"${column}"`).join(', ');
    await this.#postgres.query(`DECLARE migrated CURSOR WITH HOLD FOR SELECT ${names} FROM "${name}"`);
    try {
      for (;;) {
        const { rows } = await this.#postgres.query<Values>({ text: `FETCH ${atOnce} FROM migrated`, rowMode: 'array' });
        for (const row of rows) onRow(row);
        if (rows.length < atOnce) break;
      }
    } catch (error) {
      await this.#postgres.query('CLOSE migrated').catch(() => {});
      throw error;
    }
    await this.#postgres.query('CLOSE migrated');
  }
}

/** PostgreSQL cannot store the character 0 in a text; gateways store this one instead. */
const storable = (value: unknown): unknown => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value);

/** Number of rows, and a sum of their hashes that has no order. */
class RowSum {
  rows = 0;
  #sum = 0n;

  add(row: Values): void {
    this.rows++;
    this.#sum += hash('sha256', JSON.stringify(row.map(comparable)), 'buffer').readBigUInt64BE(0);
  }

  get text(): string {
    return `${this.rows} ${this.#sum}`;
  }
}

/** The driver has integers of PostgreSQL as texts. */
const comparable = (value: unknown): string | null =>
  value === null || value === undefined ? null : Buffer.isBuffer(value) ? `bytes ${value.toString('base64')}` : String(value);

/** Tables of a control store, each after those that it refers to. */
function tablesOf(db: OpenDatabase): ControlTable[] {
  const names = db
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
    .pluck()
    .all();
  const sorted: string[] = [];
  const visit = (name: string) => {
    if (sorted.includes(name)) return;
    for (const { table } of db.pragma(`foreign_key_list("${name}")`) as { table: string }[]) if (table !== name) visit(table);
    sorted.push(name);
  };
  for (const name of names) visit(name);
  return sorted.map((name) => {
    const columns = (db.pragma(`table_info("${name}")`) as { name: string; type: string; pk: number }[]).map((column) => column);
    const sql = db.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name) ?? '';
    const key = columns.find(({ pk }) => pk === 1)?.name ?? null;
    return {
      name,
      columns: columns.map((column) => column.name),
      hasBytes: columns.some(({ type }) => type === 'BLOB'),
      assigned: sql.includes('AUTOINCREMENT') ? key : null,
    };
  });
}
