/** Why a store cannot be used, or could not keep what it was given. It has never heard of HTTP. */
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
  /** Whoever asked for a read is gone; nobody waits for it. */
  | 'abandoned'
  /** The store is being closed. */
  | 'stopping'
  /** Not the disk's fault: a mistake of ours. */
  | 'mistake';

export class StorageError extends Error {
  readonly errorKind: StorageErrorKind;
  /** Of damage: whether it was told already what of the store it hit. */
  isTold = false;

  constructor(errorKind: StorageErrorKind, message: string) {
    super(message);
    this.name = 'StorageError';
    this.errorKind = errorKind;
  }
}
