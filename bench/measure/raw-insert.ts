/**
 * The baseline: the rate at which one thread inserts these spans into SQLite when it does nothing else. Whole rows with their payload, no
 * index, WAL, synchronous=FULL, a transaction for each hundred; rows are prepared before the timer starts.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeScratchFolder, removeFolder } from '../gateway/scratch-folder.ts';
import { type BodyIndex, BodyReader } from '../traffic/bodies.ts';
import { serveTask } from './helper-process.ts';
import { type OtlpRequest, type PlainRow, plainColumns, plainRows } from './plain-rows.ts';

export interface RawInsertTask {
  index: BodyIndex;
  /** JSON requests from `from` up to, not including, `to`. */
  from: number;
  to: number;
}

export interface RawInsertResult {
  spans: number;
  wallS: number;
  cpuS: number;
  /** CPU time of the whole process, including reading and preparing. */
  processS: number;
  bytesPerSpan: number;
}

const transactionSpans = 100;

function insert({ index, from, to }: RawInsertTask): RawInsertResult {
  const reader = new BodyReader(index, 'json');
  const rows: PlainRow[] = [];
  for (let request = from; request < to; request++) rows.push(...plainRows(JSON.parse(reader.read(request).toString()) as OtlpRequest));
  reader.close();
  const folder = makeScratchFolder('raw-insert');
  const file = join(folder, 'raw.db');
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('cache_size = -65536');
  db.exec(`CREATE TABLE spans (${plainColumns.join(', ')})`);
  const statement = db.prepare(`INSERT INTO spans VALUES (${plainColumns.map(() => '?').join(', ')})`);
  const write = db.transaction((batch: PlainRow[]) => {
    for (const row of batch) statement.run(row);
  });
  const batches = Array.from({ length: Math.ceil(rows.length / transactionSpans) }, (_, at) =>
    rows.slice(at * transactionSpans, (at + 1) * transactionSpans),
  );
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  for (const batch of batches) write(batch);
  const { user, system } = process.cpuUsage(cpuBefore);
  const wallS = (performance.now() - began) / 1000;
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const bytesPerSpan = statSync(file).size / rows.length;
  removeFolder(folder);
  const total = process.cpuUsage();
  return { spans: rows.length, wallS, cpuS: (user + system) / 1e6, processS: (total.user + total.system) / 1e6, bytesPerSpan };
}

serveTask(insert);
