/** Copies stores that are in use, and reads copies through. */
import { closeSync, existsSync, fdatasyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { openReader, settleCopy } from '../telemetry/sqlite/open.ts';

/** 2 MiB: between these it can be said how far the copy is. */
const stepPages = 256;

/**
 * Copies a store as of one moment into one file that only its owner may read. Others go on writing to the store: the copy holds one read
 * transaction, without which every write would make it begin anew. The store's log grows by what is written meanwhile. Each step is brought
 * to the disk before the next, and half of the time goes to the others: a system that has gigabytes to write out makes every commit wait.
 * @param told of how much is copied, from 0 to 1
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
    settleCopy(partial);
    renameSync(partial, to);
  } finally {
    db.close();
    closeSync(copied);
    for (const suffix of ['', '-journal']) rmSync(partial + suffix, { force: true });
  }
}

/** Holds this thread: the copy is taken by a process of its own. */
const sleepMs = (ms: number): unknown => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** `ok`, or what is wrong. A file can be so broken that it cannot even be asked. Leaves nothing beside it that was not there. */
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
    // A reader makes them for a file in WAL mode and may not take them away. A log that holds something is somebody's.
    const isEmpty = besides.every((each) => !each.endsWith('-wal') || !existsSync(each) || statSync(each).size === 0);
    if (isEmpty && besides.length === 2) for (const each of besides) rmSync(each, { force: true });
  }
}
