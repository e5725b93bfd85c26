/**
 * The second baseline: the rate at which one thread inserts into SQLite the rows that a gateway made of these spans, with the same tables
 * and indexes and compressed payloads. WAL, synchronous=FULL, a transaction for each hundred spans. The difference to the gateway is
 * decoding, normalising, compressing and computing roll-ups; the difference to the raw insert is the format of the rows.
 *
 * It reads the store of a stopped gateway, because rows are not visible over HTTP.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { serveTask } from './helper-process.ts';

export interface StoredInsertTask {
  /** A store that no process has open. */
  file: string;
}

export interface StoredInsertResult {
  spansPerS: number;
  cpuUsPerSpan: number;
}

const transactionSpans = 100;

/** The tables that ingest writes, with sort keys that give about the order of writing. */
const tables = {
  scope: 'id',
  term: 'id',
  document: 'id',
  block: 'id',
  chunk: 'id',
  trace: 'id',
  trace_term: 'trace, term',
  recent_trace_term: 'trace, term',
  span: 'id',
  session: 'id',
} as const;

type Row = unknown[];

function insert({ file }: StoredInsertTask): StoredInsertResult {
  const from = new Database(file, { readonly: true });
  const folder = makeScratchFolder('stored-insert');
  const to = new Database(join(folder, 'stored.db'));
  to.pragma(`page_size = ${from.pragma('page_size', { simple: true })}`);
  to.pragma('journal_mode = WAL');
  to.pragma('synchronous = FULL');
  to.pragma('cache_size = -65536');
  const parts = Object.entries(tables).map(([name, order]) => {
    const schema = from.prepare<[string], string>(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'index'",
    );
    for (const sql of schema.pluck().all(name)) to.exec(sql);
    const rows = from.prepare(`SELECT * FROM ${name} ORDER BY ${order}`).raw().all() as Row[];
    const placeholders = (rows[0] ?? []).map(() => '?').join(', ');
    return { name, rows, statement: to.prepare(rows.length > 0 ? `INSERT INTO ${name} VALUES (${placeholders})` : 'SELECT 1') };
  });
  from.close();
  const spans = parts.find(({ name }) => name === 'span')?.rows.length ?? 0;
  const transactions = Math.ceil(spans / transactionSpans);
  // Each transaction takes the same share of every table.
  const write = to.transaction((number: number) => {
    for (const { rows, statement } of parts) {
      const end = Math.floor((rows.length * (number + 1)) / transactions);
      for (let at = Math.floor((rows.length * number) / transactions); at < end; at++) statement.run(rows[at]);
    }
  });
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  for (let number = 0; number < transactions; number++) write(number);
  const { user, system } = process.cpuUsage(cpuBefore);
  const wallS = (performance.now() - began) / 1000;
  to.close();
  removeFolder(folder);
  return { spansPerS: spans / wallS, cpuUsPerSpan: (user + system) / spans };
}

serveTask(insert);
