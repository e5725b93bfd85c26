/** The one file that opens a database. Every promise about durability rests on the settings made and read back here. */
import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError, type StorageErrorKind } from '../../storage-error.ts';
import { migrate, refuseNewer, type Schema, telemetrySchema } from './migrate.ts';
import { makeFolder } from './prepare-folder.ts';
import { storageErrorKind } from './storage-error-kind.ts';

/** Older versions can lose a commit when two connections reset the WAL at once. */
const sqliteFloor = '3.51.3';

/** SQLite's code for `auto_vacuum = INCREMENTAL`. */
const incremental = 2;

export type OpenDatabase = Database.Database;

/**
 * Opens the store for its one writer, creating it when absent.
 * @throws StorageError `corrupt`, `newer_schema`, `busy`, `io`
 */
export function openWriter(file: string, schema: Schema = telemetrySchema): OpenDatabase {
  try {
    makeFolder(dirname(file));
  } catch (error) {
    throw translate(error);
  }
  inspect(file, schema);
  const db = open(file, {});
  try {
    requireVersion(db);
    db.pragma('page_size = 8192');
    // Takes effect in a new file, before its first page is written, and in an old one when it is rewritten by VACUUM. To set it again would
    // write to the file at each start.
    if (db.pragma('auto_vacuum', { simple: true }) !== incremental) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    if (process.platform === 'darwin') for (const flush of ['fullfsync', 'checkpoint_fullfsync']) db.pragma(`${flush} = 1`);
    requirePragma(db, 'journal_mode', 'wal');
    requirePragma(db, 'synchronous', 2);
    db.pragma('busy_timeout = 5000');
    db.pragma('cache_size = -16384');
    db.pragma('mmap_size = 0');
    db.pragma('temp_store = MEMORY');
    db.pragma('trusted_schema = OFF');
    // Checkpoints are ours to time: a commit must not pay for one.
    db.pragma('wal_autocheckpoint = 0');
    migrate(db, schema);
    for (const suffix of ['', '-wal', '-shm']) if (existsSync(file + suffix)) chmodSync(file + suffix, 0o600);
    return db;
  } catch (error) {
    db.close();
    throw translate(error);
  }
}

/** Opens a read-only connection beside the writer. */
export function openReader(file: string): OpenDatabase {
  const db = open(file, { readonly: true, fileMustExist: true });
  db.pragma('query_only = ON');
  db.pragma('busy_timeout = 5000');
  db.pragma('cache_size = -8192');
  db.pragma('mmap_size = 0');
  db.pragma('temp_store = MEMORY');
  db.pragma('trusted_schema = OFF');
  return db;
}

/** Wait for the lock of a folder, because readers hold it only for a moment. Milliseconds. */
const lockPatienceMs = 100;

/**
 * Locks an empty database while the connection is open, by an exclusive transaction that has written and never commits. Its journal is in
 * memory, so the folder has no further file.
 * @throws StorageError `busy` when another connection has the lock, `io` when the file cannot be written
 */
export function openLock(file: string): OpenDatabase {
  const isNew = !existsSync(file);
  const db = open(file, { timeout: lockPatienceMs });
  try {
    // Who may read it could lock us out.
    if (isNew) chmodSync(file, 0o600);
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
    // On a read-only file BEGIN EXCLUSIVE silently locks nothing.
    db.pragma('user_version = 1');
    return db;
  } catch (error) {
    db.close();
    throw translate(error);
  }
}

/** Whether a connection, of this process or another, has the lock. */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = open(file, { readonly: true, timeout: lockPatienceMs });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (storageErrorKind(error) === 'busy') return true;
    throw translate(error);
  } finally {
    db.close();
  }
}

/** Makes a copy a file that needs no log beside it until it is a store again. */
export function settleCopy(file: string): void {
  const db = open(file, { fileMustExist: true });
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** An empty database that is nowhere on disk. */
export const openInMemory = (): OpenDatabase => open(':memory:', {});

/**
 * Opens the bytes of a database file that anybody may have made, in memory and for context.
 * @throws SqliteError when they are none
 */
export function openBytes(bytes: Buffer): OpenDatabase {
  const db = new Database(bytes, { readonly: true });
  for (const setting of ['trusted_schema = OFF', 'cell_size_check = ON', 'query_only = ON']) db.pragma(setting);
  return db;
}

function open(file: string, options: Database.Options): OpenDatabase {
  try {
    return new Database(file, options);
  } catch (error) {
    throw translate(error);
  }
}

/**
 * Looks at a file before anything may change it: a garbage file opens without complaint and only its first pages tell, and
 * to close a connection that may write is to checkpoint the log, which in another program's file, or in that
 * of a later version, is not for us to do. Content is not read: that is `doctor`'s work.
 */
function inspect(file: string, schema: Schema): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const db = open(file, { readonly: true });
  try {
    const tables = Number(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
    const owner = Number(db.pragma('application_id', { simple: true }));
    if (tables > 0 && owner !== schema.applicationId) throw new StorageError('corrupt', 'The file is a database of another program');
    refuseNewer(db, schema);
  } catch (error) {
    throw translate(error);
  } finally {
    db.close();
  }
}

/** Whether the file is at the newest schema, or beyond. */
export function isOfSchema(file: string, schema: Schema): boolean {
  const db = open(file, { readonly: true });
  try {
    return Number(db.pragma('user_version', { simple: true })) >= schema.migrations.length;
  } catch (error) {
    throw translate(error);
  } finally {
    db.close();
  }
}

function requireVersion(db: OpenDatabase): void {
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get());
  if (version.localeCompare(sqliteFloor, undefined, { numeric: true }) >= 0) return;
  throw new Error(`SQLite ${version} is older than ${sqliteFloor}, which fixes a lost-write race`);
}

function requirePragma(db: OpenDatabase, name: string, value: unknown): void {
  const actual = db.pragma(name, { simple: true });
  if (actual !== value)
    throw new StorageError('io', `SQLite keeps ${name} at ${String(actual)}; ${String(value)} is needed to acknowledge safely`);
}

/** Translates errors of SQLite and of the file system: permissions, a read-only or full disk. */
function translate(error: unknown): unknown {
  const errorKind = storageErrorKind(error) ?? fileErrorKind(error);
  return errorKind ? new StorageError(errorKind, error instanceof Error ? error.message : String(error)) : error;
}

function fileErrorKind(error: unknown): StorageErrorKind | null {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return null;
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'io';
}
