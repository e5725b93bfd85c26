/**
 * Stores of earlier versions cannot be made smaller while they are in use: SQLite moves pages only in files that were made for it. Such a store
 * is written anew once, at a start, before anything can be sent to it: a small one without being asked, a large one when its owner asked for
 * room.
 */
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Compaction } from '../../store-maintenance.ts';
import type { OpenDatabase } from '../open.ts';

/** Takes less than half a second. */
const smallBytes = 32 * 1024 ** 2;
/** The copy, and a log as long as the copy, for a moment both beside the file. */
const roomFor = 2.2;

const markOf = (file: string) => `${file}-rebuild`;

/** At the next start. */
export const askForRebuild = (file: string): void => writeFileSync(markOf(file), '', { mode: 0o600 });

/** Writes the store anew if that is due. @returns how it went when it had been asked for; null otherwise */
export function rebuildIfDue(db: OpenDatabase): Compaction | null {
  const isAsked = existsSync(markOf(db.name));
  // First: a start that is killed because it takes long is not to be tried again by itself.
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

/** @returns what went wrong; the store is as it was then */
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
