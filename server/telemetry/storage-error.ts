/** Reason why a store cannot be used, or could not write. Independent of HTTP. */
export type StorageErrorKind =
  /** Another process holds the write lock; trying again helps. */
  | 'busy'
  /** No space left. */
  | 'full'
  /** Reading or writing the disk failed. */
  | 'io'
  /** The file is damaged or is not a database of ours. */
  | 'corrupt'
  /** Written by a later version. */
  | 'newer_schema'
  /** A read took longer than it may. */
  | 'slow'
  /** Too many reads wait already; it was not tried. */
  | 'crowded'
  /** The caller of a read has left. */
  | 'abandoned'
  /** The store is being closed. */
  | 'stopping'
  /** Not the disk's fault: a mistake of ours. */
  | 'mistake';

export class StorageError extends Error {
  readonly errorKind: StorageErrorKind;
  /** True once the damaged item has been reported. */
  isTold = false;

  constructor(errorKind: StorageErrorKind, message: string) {
    super(message);
    this.name = 'StorageError';
    this.errorKind = errorKind;
  }
}
