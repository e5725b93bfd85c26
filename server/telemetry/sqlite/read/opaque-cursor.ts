/**
 * Encrypts row ids for clients: a permutation of 48-bit numbers for each scope and key (a Feistel network of four rounds, Luby and
 * Rackoff 1988). All tenants share one sequence of ids, so plain ids would reveal how much others store. A cursor of another key decrypts to an
 * arbitrary number, most likely a very large one.
 */
import { createHmac, randomBytes } from 'node:crypto';

const half = 2 ** 24;
const rounds = [0, 1, 2, 3];

/** Valid for one run of a store. */
export const newCursorKey = (): Uint8Array => randomBytes(32);

export class OpaqueCursors {
  readonly #key: Uint8Array;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  /** @param number of at most 48 bits */
  encrypt(scope: number, number: number): number {
    return this.#permute(scope, number, rounds);
  }

  /** Inverse of `encrypt` for the same scope. */
  decrypt(scope: number, cursor: number): number {
    return this.#permute(scope, cursor, rounds.toReversed());
  }

  /** Swaps the halves at the end, so that the same rounds in reverse order undo it. */
  #permute(scope: number, number: number, order: readonly number[]): number {
    let [left, right] = [Math.floor(number / half) % half, number % half];
    for (const round of order) [left, right] = [right, left ^ this.#mix(scope, round, right)];
    return right * half + left;
  }

  #mix(scope: number, round: number, value: number): number {
    return createHmac('sha256', this.#key).update(`${round} ${value} ${scope}`).digest().readUIntBE(0, 3);
  }
}
