/**
 * Encrypts the places of lists for clients: one block of AES with the order of arrival and the app. A text that was not made with the key of the
 * store, for this app and purpose, decrypts to something else. Cursors are valid for every gateway of the store.
 */
import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { Scope } from '../../../platform/scope.ts';

/** Each purpose has cursors of its own, by its number. */
const purposes = { arrivedTraces: 1 } as const;
type Purpose = keyof typeof purposes;

const cipher = 'aes-128-ecb';
export const cursorKeyBytes = 16;
const arrivalBytes = 8;
const form = /^[0-9a-f]{32}$/;

export class StoreCursors {
  readonly key: Buffer;

  constructor(key: Buffer) {
    this.key = key;
  }

  /** @param arrival microseconds since the epoch */
  encrypt(purpose: Purpose, scope: Scope, arrival: number): string {
    return createCipheriv(cipher, this.key, null)
      .setAutoPadding(false)
      .update(blockOf(purpose, scope, BigInt(arrival)))
      .toString('hex');
  }

  /** Null for a text that is no cursor of this store for the app and the purpose. */
  decrypt(purpose: Purpose, scope: Scope, cursor: string): number | null {
    if (!form.test(cursor)) return null;
    const block = createDecipheriv(cipher, this.key, null).setAutoPadding(false).update(Buffer.from(cursor, 'hex'));
    const arrival = block.readBigUInt64BE();
    return block.equals(blockOf(purpose, scope, arrival)) ? Number(arrival) : null;
  }
}

function blockOf(purpose: Purpose, { tenant_id, app_id }: Scope, arrival: bigint): Buffer {
  const head = Buffer.alloc(arrivalBytes);
  head.writeBigUInt64BE(arrival);
  const scope = hash('sha256', JSON.stringify([purposes[purpose], tenant_id, app_id]), 'buffer');
  return Buffer.concat([head, scope.subarray(0, cursorKeyBytes - arrivalBytes)]);
}
