/**
 * What a read answers with where a plain value does not say enough. Anything else is a value that the thread encodes, or an `Encoded` one,
 * which is JSON text already because it is too large to stand in memory as a value.
 */

/** One page of a list, and how many there are in all. */
export class ReadPage<T> {
  readonly kind = 'page';
  readonly value: T[];
  readonly total: number;

  constructor(value: T[], total: number) {
    this.value = value;
    this.total = total;
  }
}

/** Bytes, and what is known of them. */
export class ReadFile<T extends object> {
  readonly kind = 'file';
  readonly value: T;
  /** Over a buffer of their own, which leaves this thread. */
  readonly bytes: Uint8Array<ArrayBuffer>;

  constructor(value: T, bytes: Uint8Array<ArrayBuffer>) {
    this.value = value;
    this.bytes = bytes;
  }
}
