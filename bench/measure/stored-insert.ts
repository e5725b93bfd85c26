/**
 * The second yardstick: how fast one thread puts the very rows into SQLite that a gateway made of these spans, into the same tables
 * and indexes, payloads compressed already. WAL, synchronous=FULL, a transaction for each hundred spans. What lies between it and the
 * gateway is decoding, normalising, compressing and rolling up; what lies between it and the plain raw insert is the form of the rows.
 *
 * It reads the store of a gateway that has ended, because HTTP does not show rows.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { serveTask } from './helper-process.ts';

export interface StoredInsertTask {
  /** A store that nobody has open. */
  file: string;
}

export interface StoredInsertResult {
  spansPerS: number;
  cpuUsPerSpan: number;
}

const transactionSpans = 100;

/** What ingest writes, and how it is read in about the order in which it was written. */
const tables = {
  scope: 'id',
  term: 'id',
  document: 'id',
  block: 'id',
  chunk: 'id',
  trace: 'id',
  trace_term: 'trace, term',
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
    const made = from.prepare<[string], string>(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'index'",
    );
    for (const sql of made.pluck().all(name)) to.exec(sql);
    const rows = from.prepare(`SELECT * FROM ${name} ORDER BY ${order}`).raw().all() as Row[];
    const marks = (rows[0] ?? []).map(() => '?').join(', ');
    return { name, rows, statement: to.prepare(rows.length > 0 ? `INSERT INTO ${name} VALUES (${marks})` : 'SELECT 1') };
  });
  from.close();
  const spans = parts.find(({ name }) => name === 'span')?.rows.length ?? 0;
  const transactions = Math.ceil(spans / transactionSpans);
  // Each takes the same share of every table.
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
