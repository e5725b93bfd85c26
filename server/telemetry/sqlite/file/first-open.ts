/** Opens a store at the start of a gateway: checks the write-ahead log before SQLite recovers it. */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { noteDamage } from './damage-book.ts';
import { inspectLog, type LogDamage } from './log-check.ts';
import type { Schema } from './migrate.ts';
import { type OpenDatabase, openWriter } from './open.ts';
import { keepCopy } from './quarantine-place.ts';
import { storageErrorKind } from './storage-error-kind.ts';

/**
 * @returns `isUnclean` after an unclean shutdown
 * @throws StorageError as `openWriter`, and when a damaged log cannot be kept
 */
export function openFirst(file: string, schema?: Schema): { db: OpenDatabase; isUnclean: boolean } {
  const logFile = `${file}-wal`;
  const isUnclean = (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const damage = isUnclean ? inspectLog(logFile) : null;
  if (!damage) return { db: openWriter(file, schema), isUnclean };
  const why = inWords(file, damage);
  const kept = keepCopy(file, why);
  noteDamage(dirname(file), { kind: 'log', id: kept, why, kept });
  const db = openWriter(file, schema);
  endLog(db);
  return { db, isUnclean };
}

/** The damaged log ends here: it would be found again, and kept again, at every start. */
function endLog(db: OpenDatabase): void {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // With a damaged store or a full disk, the next write reports the failure.
    if (!storageErrorKind(error)) throw error;
  }
}

export const inWords = (file: string, { commitsCut, commitsKept }: LogDamage): string =>
  `The write-ahead log of ${basename(file)} is damaged: ${commitsCut} ${commitsCut === 1 ? 'commit' : 'commits'} behind the damage cannot be reached, ${commitsKept} before it are kept.`;
