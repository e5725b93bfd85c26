/** Quarantine folder of damaged stores, with the reason for each. */
import { closeSync, constants, copyFileSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StorageError } from '../../storage-error.ts';
import { damageFile } from './damage-record.ts';

export const quarantineFolder = (file: string): string => join(dirname(file), 'quarantine');
export const reasonFile = 'reason.txt';

/** The storage page shows the reason later. */
export const noteReason = (folder: string, reason: string): void => writeFileSync(join(folder, reasonFile), `${reason}\n`, { mode: 0o600 });

const parts = ['', '-wal', '-shm'];

/**
 * Moves all three files of a damaged store to quarantine and returns the folder. Nothing is ever deleted: a WAL without its database, or the
 * reverse, could not be salvaged.
 */
export function quarantine(file: string, now: Date = new Date()): string {
  const folder = newFolder(file, now);
  for (const part of parts) if (existsSync(file + part)) renameSync(file + part, join(folder, basename(file) + part));
  // The record of the damage moves with the store, because the next store is undamaged.
  const record = damageFile(dirname(file));
  if (existsSync(record)) renameSync(record, join(folder, basename(record)));
  return folder;
}

/**
 * Copies a store durably before anything changes it.
 * @throws StorageError `full` or `io`; no partial copy remains
 */
export function keepCopy(file: string, reason: string, now: Date = new Date()): string {
  const folder = newFolder(file, now);
  try {
    for (const part of parts) if (existsSync(file + part)) copyDurably(file + part, join(folder, basename(file) + part));
    noteReason(folder, reason);
    sync(join(folder, reasonFile));
    sync(folder);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
    const why = isFull ? 'there is no room for a copy of it. Make room' : (error as Error).message;
    throw new StorageError(isFull ? 'full' : 'io', `${reason} It must be kept before the store is opened, and ${why}`);
  }
}

function newFolder(file: string, now: Date): string {
  const base = join(quarantineFolder(file), now.toISOString().replaceAll(':', '-'));
  let folder = base;
  for (let number = 2; existsSync(folder); number++) folder = `${base}-${number}`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function copyDurably(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  sync(to);
}

/** Windows cannot sync folders or files opened read-only. */
function sync(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
