import type { Page } from '../platform/page.ts';

/**
 * A value that is already JSON text. Read threads encode their results, so that a trace of 20 MB passes through the HTTP process as one buffer and
 * never blocks its event loop with JSON.stringify.
 */
export class Encoded<T> {
  /** JSON in a buffer of its own, which the last user may release. */
  readonly json: Uint8Array<ArrayBuffer>;
  /** Type of the encoded value; exists only in the type system. */
  declare readonly holds: T;

  constructor(json: Uint8Array<ArrayBuffer>) {
    this.json = json;
  }

  static of<T>(value: T): Encoded<T> {
    return new Encoded<T>(new TextEncoder().encode(JSON.stringify(value)));
  }

  decode(): T {
    return JSON.parse(Buffer.from(this.json.buffer, this.json.byteOffset, this.json.byteLength).toString());
  }
}

/** One page of a list, encoded, with the count of all rows that match. */
export type EncodedPage<T> = Page<T, Encoded<T[]>>;
