/** The write-ahead log of the store. */
import { busyTimeoutMs, type OpenDatabase } from '../file/open.ts';
import { storageErrorKind } from '../file/storage-error-kind.ts';

/** A log longer than this is checkpointed after a commit; an idle gateway checkpoints much earlier. */
export const logBytesMax = 48_000_000;
export const idleLogBytesMax = 2_000_000;

/** Checkpoints the log once it is long. On a full or failing disk it stays a log, which loses nothing; the next write tells. */
export function checkpoint(db: OpenDatabase, bytesMax: number): void {
  try {
    if (logBytes(db) > bytesMax) db.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    if (!storageErrorKind(error)) throw error;
  }
}

/** Empties the log, which otherwise keeps the pages that it was written with. False while a reader needs them. */
export function emptyLog(db: OpenDatabase): boolean {
  db.pragma('busy_timeout = 0');
  try {
    const [state] = db.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }];
    return state.busy === 0;
  } finally {
    db.pragma(`busy_timeout = ${busyTimeoutMs}`);
  }
}

/** Bytes of the log that are not in the database yet. Its file size tells nothing, because the file is reused. */
function logBytes(db: OpenDatabase): number {
  const [state] = db.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
  return (state.log - state.checkpointed) * Number(db.pragma('page_size', { simple: true }));
}
