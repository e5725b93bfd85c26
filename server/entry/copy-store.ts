/** Copies stores that are in use, and verifies copies. */
import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { makeSingleFile, openReader } from '../telemetry/sqlite/file/open.ts';

/** 2 MiB: progress is reported in between. */
const stepPages = 256;

/**
 * Copies a store as a snapshot into one file readable by its owner only. Writers continue: the copy holds one read transaction, because each
 * write would restart it otherwise, and the write-ahead log grows meanwhile. Each step is synced to disk before the next, with a pause of the
 * same length: a backlog of gigabytes would delay every commit.
 * @param onProgress receives the progress from 0 to 1
 */
export async function copyStore(from: string, to: string, onProgress: (part: number) => void): Promise<void> {
  const partial = `${to}.partial`;
  const db = openReader(from);
  const copied = openSync(partial, 'w', 0o600);
  try {
    let stepAt = performance.now();
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    await db.backup(partial, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress(totalPages === 0 ? 0 : 1 - remainingPages / totalPages);
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

/** Blocks this thread. The process does nothing but copy. */
const sleepMs = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** @returns `ok`, or the damage, also when the file cannot be opened. Leaves no new files in the folder. */
export function verifyCopy(file: string): string {
  const newFiles = [`${file}-wal`, `${file}-shm`].filter((path) => !existsSync(path));
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
    const isEmpty = newFiles.every((path) => !path.endsWith('-wal') || !existsSync(path) || statSync(path).size === 0);
    if (isEmpty && newFiles.length === 2) for (const path of newFiles) rmSync(path, { force: true });
  }
}
