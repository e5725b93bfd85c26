/**
 * Results of reads that are not plain values. A plain value is encoded by the thread; an `Encoded` one is already JSON text, because it would
 * be too large as a value in memory.
 */

/** Page of a list, with the total. */
export class ReadPage<T> {
  readonly kind = 'page';
  readonly value: T[];
  readonly total: number;
  /** There may be more than `total`. */
  readonly totalIsLowerBound: boolean;

  constructor(value: T[], total: number, totalIsLowerBound = false) {
    this.value = value;
    this.total = total;
    this.totalIsLowerBound = totalIsLowerBound;
  }
}

/** Bytes with their properties. */
export class ReadFile<T extends object> {
  readonly kind = 'file';
  readonly value: T;
  /** They have a buffer of their own, which is transferred to another thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(value: T, bytes: Uint8Array<ArrayBuffer>) {
    this.value = value;
    this.bytes = bytes;
  }
}
