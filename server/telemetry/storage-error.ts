/** Reason why a store cannot be used, or could not write. Independent of HTTP. */
export type StorageErrorKind =
  /** Another process holds the write lock; trying again helps. */
  | 'busy'
  /** No space left. */
  | 'full'
  /** Reading or writing the disk failed. */
  | 'io'
  /** The file is damaged or is not our database. */
  | 'corrupt'
  /** Written by a later version. */
  | 'newer_schema'
  /** A read exceeded its time limit. */
  | 'slow'
  /** Too many reads are waiting; the read was not started. */
  | 'crowded'
  /** The caller of a read has left. */
  | 'abandoned'
  /** The store is being closed. */
  | 'stopping'
  /** A bug of ours, not a failure of the disk. */
  | 'mistake';

export class StorageError extends Error {
  readonly errorKind: StorageErrorKind;
  /** True once the damaged item has been reported. */
  isReported = false;
  /** Whether it is about what one change needs, so that others may be made meanwhile. */
  isOfOne: boolean;

  constructor(errorKind: StorageErrorKind, message: string) {
    super(message);
    this.name = 'StorageError';
    this.errorKind = errorKind;
    this.isOfOne = errorKind === 'corrupt' || errorKind === 'newer_schema';
  }
}
