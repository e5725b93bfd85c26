/** Makes the file as small as what is in it. Everything waits meanwhile: some seconds for a gigabyte. */
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError } from '../../storage-error.ts';
import type { OpenDatabase } from '../open.ts';

/** Where rows hold the numbers of terms, and of documents. */
const termColumns = {
  span: ['name', 'model', 'service', 'session', 'user', 'prompt', 'trace_name', 'finish_reason', 'tags', 'environment'],
  trace: ['name', 'session', 'user', 'session_name', 'prompt_name', 'trace_name'],
  trace_term: ['term'],
  session: ['id'],
};
const documentColumns = { span: ['metadata', 'resource', 'instrumentation'], trace: ['metadata'] };

/** The copy, and a log as long as the copy, for a moment both beside the file. */
const roomFor = 2.2;

/** @throws StorageError `full` */
export function compact(db: OpenDatabase): void {
  const needed = statSync(db.name).size * roomFor;
  const { bavail, bsize } = statfsSync(dirname(db.name));
  if (bavail * bsize < needed)
    throw new StorageError('full', `Compacting needs ${Math.ceil(needed / 2 ** 20)} MiB of free disk for a while`);
  db.transaction(() => {
    dropUnused(db, 'term', termColumns);
    dropUnused(db, 'document', documentColumns);
  }).immediate();
  // The copy is not for memory.
  db.pragma('temp_store = FILE');
  try {
    db.exec('VACUUM');
  } finally {
    db.pragma('temp_store = MEMORY');
  }
  db.pragma('wal_checkpoint(TRUNCATE)');
}

/** All but the newest, whose number would be given again. */
function dropUnused(db: OpenDatabase, table: string, columns: Record<string, string[]>): void {
  const newest = db.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get() ?? 0;
  const isUsed = new Uint8Array(newest + 1).fill(1, newest);
  for (const [owner, names] of Object.entries(columns)) {
    for (const numbers of db
      .prepare<[], (number | null)[]>(`SELECT ${names.join(', ')} FROM ${owner}`)
      .raw()
      .iterate()) {
      for (const number of numbers) if (number) isUsed[number] = 1;
    }
  }
  const drop = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
  for (const id of db.prepare<[], number>(`SELECT id FROM ${table}`).pluck().all()) if (!isUsed[id]) drop.run(id);
}
