/** The only file that opens a database. Every durability guarantee rests on the settings made and read back here. */
import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { StorageError, type StorageErrorKind } from '../../storage-error.ts';
import { migrate, refuseNewer, type Schema, telemetrySchema } from './migrate.ts';
import { makeFolder } from './prepare-folder.ts';
import { storageErrorKind } from './storage-error-kind.ts';

/** Older versions can lose a commit when two connections reset the WAL at once. */
const sqliteFloor = '3.51.3';

/** Of new stores. Older ones have pages of 8 kB, and keep them. */
export const newStorePageBytes = 4096;

/** SQLite's code for `auto_vacuum = INCREMENTAL`. */
const incremental = 2;

/** How long a connection to the store waits for a lock. */
export const busyTimeoutMs = 5000;

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
    // Small pages, because a commit changes single rows in many of them, and the log gets each as a whole.
    db.pragma(`page_size = ${newStorePageBytes}`);
    // Takes effect in a new file before its first page is written, and in an existing file when VACUUM rewrites it. Setting it again would
    // write to the file at each start.
    if (db.pragma('auto_vacuum', { simple: true }) !== incremental) db.pragma('auto_vacuum = INCREMENTAL');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    if (process.platform === 'darwin') for (const flush of ['fullfsync', 'checkpoint_fullfsync']) db.pragma(`${flush} = 1`);
    requirePragma(db, 'journal_mode', 'wal');
    requirePragma(db, 'synchronous', 2);
    // Deleted rows are overwritten with zeros in the file.
    db.pragma('secure_delete = ON');
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
    db.pragma('cache_size = -16384');
    db.pragma('mmap_size = 0');
    db.pragma('temp_store = MEMORY');
    db.pragma('trusted_schema = OFF');
    // We run checkpoints ourselves, so that no commit waits for one.
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
  db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  db.pragma('cache_size = -8192');
  db.pragma('mmap_size = 0');
  db.pragma('temp_store = MEMORY');
  db.pragma('trusted_schema = OFF');
  return db;
}

/** How long to wait for the lock of a folder, in milliseconds: readers hold it only for a moment. */
const lockTimeoutMs = 100;

/**
 * Locks an empty database while the connection is open, by an exclusive transaction that has written and never commits. Its journal is in
 * memory, so the folder has no further file.
 * @throws StorageError `busy` when another connection has the lock, `io` when the file cannot be written
 */
export function openLock(file: string): OpenDatabase {
  const isNew = !existsSync(file);
  const db = open(file, { timeout: lockTimeoutMs });
  try {
    // A user who can read the file could lock us out.
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
  const db = open(file, { readonly: true, timeout: lockTimeoutMs });
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

/** Makes a copied store a single file, which needs no log until it is opened as a store again. */
export function makeSingleFile(file: string): void {
  const db = open(file, { fileMustExist: true });
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** An empty database that exists only in memory. */
export const openInMemory = (): OpenDatabase => open(':memory:', {});

/**
 * Opens the bytes of an untrusted database file, in memory and read-only.
 * @throws SqliteError when they are not a database
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
 * Checks a file before anything can change it. A garbage file opens without an error, which only reading its first pages shows. Closing a
 * writable connection checkpoints the log, which must not happen to the file of another program or of a later version. Content is not read:
 * `doctor` does that.
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

/** Whether the file has the newest schema, or a later one. */
export function hasCurrentSchema(file: string, schema: Schema): boolean {
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
    throw new StorageError('io', `SQLite keeps ${name} at ${String(actual)}; ${String(value)} is needed for durable commits`);
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
