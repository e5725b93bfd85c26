/**
 * Exclusive lock of a data folder: the writer caches state that no other process may change. The lock is an open exclusive transaction on an
 * empty database, `lock.db`, so the operating system releases it however the process ends. `owner.json` beside it names the owner; it counts
 * only while the lock is held. Only SQLite may open `lock.db` in this process: POSIX drops all locks of a process on a file as soon as it
 * closes any descriptor of it. SQLite knows that, and refuses a second connection of this process like any other.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import { FolderInUse, type LockOwner, StartRefusal, thisHost } from '../../../platform/start-refusal.ts';
import { StorageError } from '../../storage-error.ts';
import { isLocked, type OpenDatabase, openLock } from './open.ts';
import { prepareFolder } from './prepare-folder.ts';

export interface FolderLock {
  /** Tells others where to find this gateway. */
  listensOn(port: number): void;
  /** Call it when everything in the folder is closed. */
  release(): void;
}

/** Other programs read it and terminals print it, so only short plain text is valid. */
const ownerRecord = z.object({
  program: z.string().regex(/^[\w :.-]{1,40}$/),
  pid: z.int().positive(),
  host: z.string().regex(/^[\w.-]{1,255}$/),
  port: z.int().min(1).max(65_535).nullable(),
  since: z.iso.datetime(),
});

/** A new owner takes a moment to write its record, and a killed one to end. */
const attempts = 10;
const retryDelayMs = 50;

/** References keep the connections open: a garbage-collected connection releases its lock. */
const held = new Set<OpenDatabase>();

const lockFile = (dataDir: string): string => join(dataDir, 'lock.db');
const ownerFile = (dataDir: string): string => join(dataDir, 'owner.json');

/**
 * Creates the folder if needed, and locks it until it is released or the process ends.
 * @param program name of this program, shown to others
 * @param option command-line option that chose the folder
 * @throws FolderInUse when the folder has an owner
 * @throws StartRefusal when the folder cannot be used
 */
export async function lockFolder(dataDir: string, program: string, option = '--data'): Promise<FolderLock> {
  const folder = resolve(dataDir);
  prepareFolder(folder, lockFile(folder), option);
  const lock = await acquire(folder, option);
  const since = new Date().toISOString().replace(/\.\d+/, '');
  const host = thisHost();
  const record = (port: number | null) => writeOwner(folder, { program, pid: process.pid, host, port, since });
  try {
    // The record of a killed owner must not pass for ours, even if the disk is too full to write our own.
    rmSync(ownerFile(folder), { force: true });
    record(null);
  } catch (error) {
    lock.close();
    throw error;
  }
  held.add(lock);
  return {
    listensOn: record,
    release: () => {
      if (!held.delete(lock)) return;
      rmSync(ownerFile(folder), { force: true });
      lock.close();
    },
  };
}

/** Error that names the owner of a folder; null when the folder is free. Reading never prevents a gateway from starting. */
export async function folderInUse(dataDir: string, option = '--data'): Promise<FolderInUse | null> {
  const folder = resolve(dataDir);
  for (let attempt = 1; isLocked(lockFile(folder)); attempt++) {
    const owner = readOwner(folder);
    if (owner || attempt === attempts) return new FolderInUse(folder, owner, option);
    await after(retryDelayMs);
  }
  return null;
}

async function acquire(folder: string, option: string): Promise<OpenDatabase> {
  for (let attempt = 1; ; attempt++) {
    try {
      return openLock(lockFile(folder));
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      if (error.errorKind !== 'busy') throw new StartRefusal(cannotLock(folder, error.message, option));
      const owner = readOwner(folder);
      if (owner || attempt === attempts) throw new FolderInUse(folder, owner, option);
      await after(retryDelayMs);
    }
  }
}

const cannotLock = (folder: string, why: string, option: string): string =>
  `The data folder ${folder} cannot be locked (${lockFile(folder)}: ${why}): delete that file, or choose another folder with ${option}.`;

/** A full disk must not prevent a start, because stored data can still be read. */
function writeOwner(folder: string, owner: LockOwner): void {
  const file = ownerFile(folder);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    if (!['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Null without a record, or when the recorded process is gone. */
function readOwner(folder: string): LockOwner | null {
  try {
    const owner = ownerRecord.parse(JSON.parse(readFileSync(ownerFile(folder), 'utf8')));
    return owner.host === thisHost() && !isAlive(owner.pid) ? null : owner;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
