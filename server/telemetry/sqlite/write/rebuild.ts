/**
 * Rewrites the file. Stores of earlier versions are rewritten once, because SQLite can move pages only in files created for that: at a start,
 * before ingest begins, a small one automatically, a large one only on request. A store of which traces were deleted is rewritten on request,
 * because pages may have copies of rows in bytes that no row uses: a small one at once, a large one at the next start.
 */
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Compaction } from '../../file-maintenance.ts';
import type { OpenDatabase } from '../file/open.ts';
import { deletionStates } from './deletion-states.ts';

/** Rebuilding a store of this size takes less than half a second. */
const smallBytes = 32 * 1024 ** 2;
/** Space needed as a multiple of the file: a copy, and a log as long as the copy, exist at the same time. */
const spaceFactor = 2.2;

const requestFile = (file: string) => `${file}-rebuild`;

/** Requests a rebuild at the next start. */
export const requestRebuild = (file: string): void => writeFileSync(requestFile(file), '', { mode: 0o600 });

const dueDeletions = (db: OpenDatabase): boolean =>
  db.prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM deletion WHERE state = ?)').pluck().get(deletionStates.done) === 1;

/** Removes what deleted traces left in unused bytes of pages. @returns when; null when they left nothing */
export function rewriteAfterDeletions(db: OpenDatabase): 'now' | 'at-next-start' | null {
  if (!dueDeletions(db)) return null;
  const size = statSync(db.name).size;
  if (size <= smallBytes && rebuild(db, size) === null) return 'now';
  requestRebuild(db.name);
  return 'at-next-start';
}

/** Rebuilds the store if that is due. @returns its result if it was requested, else null */
export function rebuildIfDue(db: OpenDatabase): Compaction | null {
  const isRequested = existsSync(requestFile(db.name));
  // Removed first: a start that is killed for taking too long must not be repeated.
  rmSync(requestFile(db.name), { force: true });
  const before = statSync(db.name).size;
  const isOfEarlierVersion = db.pragma('auto_vacuum', { simple: true }) === 0;
  if (!isRequested && !(isOfEarlierVersion && before <= smallBytes)) return null;
  const began_ms = Date.now();
  const problem = rebuild(db, before);
  if (!isRequested) return null;
  const freed_bytes = Math.max(0, before - statSync(db.name).size);
  const state = problem === null ? 'done' : 'failed';
  return { state, phase: 'pages', part: 1, freed_bytes, left_bytes: 0, began_ms, ended_ms: Date.now(), problem };
}

/** @returns the failure, after which the store is unchanged */
function rebuild(db: OpenDatabase, size: number): string | null {
  const { bavail, bsize } = statfsSync(dirname(db.name));
  if (bavail * bsize < size * spaceFactor)
    return `It needs ${Math.ceil((size * spaceFactor) / 2 ** 20)} MiB of free disk space for a while.`;
  // The copy may be too large for memory.
  db.pragma('temp_store = FILE');
  try {
    db.exec('VACUUM');
    db.prepare('UPDATE deletion SET state = ? WHERE state = ?').run(deletionStates.rewritten, deletionStates.done);
    db.pragma('wal_checkpoint(TRUNCATE)');
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    db.pragma('temp_store = MEMORY');
  }
}
