/** Opens a store at the start of a gateway: checks the write-ahead log before SQLite recovers it. */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { StorageError } from '../../storage-error.ts';
import { noteDamage } from './damage-record.ts';
import { inspectLog, type LogDamage } from './log-check.ts';
import { migrate, type Schema, telemetrySchema } from './migrate.ts';
import { type OpenDatabase, openInMemory, openWriter } from './open.ts';
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
  if (!damage) {
    const db = openWriter(file, schema);
    if (isUnclean) requireColumns(db, schema);
    return { db, isUnclean };
  }
  const why = logDamageText(file, damage);
  const copy = keepCopy(file, why);
  noteDamage(dirname(file), { kind: 'log', id: copy, why, kept: copy });
  const db = openWriter(file, schema);
  requireColumns(db, schema);
  truncateLog(db);
  return { db, isUnclean };
}

const columnsOf = (db: OpenDatabase): string[] =>
  db
    .prepare<[], string>(
      "SELECT tables.name || '.' || columns.name FROM sqlite_schema tables, pragma_table_xinfo(tables.name) columns WHERE tables.type = 'table'",
    )
    .pluck()
    .all();

/**
 * Compares the columns with those of the migrations: a changed byte in the definition of a table can rename a column without any other error.
 * @throws StorageError `corrupt`
 */
function requireColumns(db: OpenDatabase, schema: Schema = telemetrySchema): void {
  const expected = openInMemory();
  try {
    migrate(expected, schema);
    const existing = new Set(columnsOf(db));
    const missing = columnsOf(expected).filter((column) => !existing.has(column));
    if (missing.length === 0) return;
    db.close();
    throw new StorageError('corrupt', `The store has no column ${missing.join(', ')}: the definition of a table is damaged`);
  } finally {
    expected.close();
  }
}

/** Empties the damaged log: otherwise it would be found and kept again at every start. */
function truncateLog(db: OpenDatabase): void {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // With a damaged store or a full disk, the next write reports the failure.
    if (!storageErrorKind(error)) throw error;
  }
}

export const logDamageText = (file: string, { commitsCut, commitsKept }: LogDamage): string =>
  `The write-ahead log of ${basename(file)} is damaged: ${commitsCut} ${commitsCut === 1 ? 'commit' : 'commits'} behind the damage cannot be reached, ${commitsKept} before it are kept.`;
