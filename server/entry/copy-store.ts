/** Copies stores that are in use, and reads copies through. */
import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { makeSingleFile, openReader } from '../telemetry/sqlite/file/open.ts';

/** 2 MiB: progress is reported in between. */
const stepPages = 256;

/**
 * Copies a store as a snapshot into one file readable by its owner only. Writers continue: the copy holds one read transaction, because each
 * write would restart it otherwise, and the write-ahead log grows meanwhile. Each step is synced to disk before the next, and half of the
 * time is left to others: a backlog of gigabytes would delay every commit.
 * @param told receives the progress from 0 to 1
 */
export async function copyStore(from: string, to: string, told: (part: number) => void): Promise<void> {
  const partial = `${to}.partial`;
  const db = openReader(from);
  const copied = openSync(partial, 'w', 0o600);
  try {
    let stepAt = performance.now();
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(partial, {
      progress: ({ totalPages, remainingPages }) => {
        told(totalPages === 0 ? 0 : 1 - remainingPages / totalPages);
        fdatasyncSync(copied);
        sleepMs(performance.now() - stepAt);
        stepAt = performance.now();
        return stepPages;
      },
    });
    makeSingleFile(partial);
    renameSync(partial, to);
  } finally {
    db.close();
    closeSync(copied);
    for (const suffix of ['', '-journal']) rmSync(partial + suffix, { force: true });
  }
}

/** Blocks this thread, in a process made for the copy. */
const sleepMs = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** `ok`, or the damage. A file can be too damaged to be opened. Leaves no new files beside it. */
export function readThrough(file: string): string {
  const besides = [`${file}-wal`, `${file}-shm`].filter((each) => !existsSync(each));
  try {
    const db = openReader(file);
    try {
      return String(db.pragma('integrity_check(1)', { simple: true }));
    } finally {
      db.close();
    }
  } catch (error) {
    return (error as Error).message;
  } finally {
    // A reader creates these files in WAL mode and cannot remove them. A log with content belongs to a writer.
    const isEmpty = besides.every((each) => !each.endsWith('-wal') || !existsSync(each) || statSync(each).size === 0);
    if (isEmpty && besides.length === 2) for (const each of besides) rmSync(each, { force: true });
  }
}
