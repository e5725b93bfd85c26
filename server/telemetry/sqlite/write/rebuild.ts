/**
 * Rebuilds stores of earlier versions: SQLite can move pages only in files created for it. Such a store is rewritten once, at a start, before
 * ingest begins: a small one automatically, a large one when its owner asked for it.
 */
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Compaction } from '../../store-maintenance.ts';
import type { OpenDatabase } from '../file/open.ts';

/** Takes less than half a second. */
const smallBytes = 32 * 1024 ** 2;
/** The copy, and a log as long as the copy, for a moment both beside the file. */
const roomFor = 2.2;

const markOf = (file: string) => `${file}-rebuild`;

/** At the next start. */
export const askForRebuild = (file: string): void => writeFileSync(markOf(file), '', { mode: 0o600 });

/** Rebuilds the store if that is due. @returns its result when the owner asked for it, else null */
export function rebuildIfDue(db: OpenDatabase): Compaction | null {
  const isAsked = existsSync(markOf(db.name));
  // First, because a start that is killed for taking too long must not repeat it.
  rmSync(markOf(db.name), { force: true });
  const before = statSync(db.name).size;
  if (db.pragma('auto_vacuum', { simple: true }) !== 0 || (!isAsked && before > smallBytes)) return null;
  const began_ms = Date.now();
  const problem = rebuild(db, before);
  if (!isAsked) return null;
  const freed_bytes = Math.max(0, before - statSync(db.name).size);
  const state = problem === null ? 'done' : 'failed';
  return { state, phase: 'pages', part: 1, freed_bytes, left_bytes: 0, began_ms, ended_ms: Date.now(), problem };
}

/** @returns the failure, after which the store is unchanged */
function rebuild(db: OpenDatabase, size: number): string | null {
  const { bavail, bsize } = statfsSync(dirname(db.name));
  if (bavail * bsize < size * roomFor) return `It needs ${Math.ceil((size * roomFor) / 2 ** 20)} MiB of free disk for a while.`;
  // The copy is not for memory.
  db.pragma('temp_store = FILE');
  try {
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    db.pragma('temp_store = MEMORY');
  }
}
