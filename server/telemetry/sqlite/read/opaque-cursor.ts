/**
 * Encrypts row ids for clients. All tenants share one sequence of ids, so plain ids would reveal how much others store. A cursor is one block
 * of AES: equal ids give equal cursors, and a text that was not made with this key, for this scope and purpose, decrypts to other bytes around
 * the id. The key is stored, so that a cursor is valid in every process that opens the store.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { StorageError } from '../../storage-error.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';

/** Each purpose has cursors of its own, by its number. */
const purposes = { arrivedTraces: 1, searchedSpans: 2 } as const;
type Purpose = keyof typeof purposes;

const cipher = 'aes-128-ecb';
const blockBytes = 16;
const idBytes = 6;
const form = /^[0-9a-f]{32}$/;

export class OpaqueCursors {
  readonly #readKey: () => Uint8Array;
  #key: Uint8Array | undefined;

  /** @param readKey called when the first cursor is needed */
  constructor(readKey: () => Uint8Array) {
    this.#readKey = readKey;
  }

  /** @param id of at most 48 bits */
  encrypt(purpose: Purpose, scope: number, id: number): string {
    return this.#run(createCipheriv(cipher, this.#keyBytes, null), blockOf(purpose, scope, id)).toString('hex');
  }

  /** Null for a text that is no cursor of this store for the scope and the purpose. */
  decrypt(purpose: Purpose, scope: number, cursor: string): number | null {
    if (!form.test(cursor)) return null;
    const block = this.#run(createDecipheriv(cipher, this.#keyBytes, null), Buffer.from(cursor, 'hex'));
    const id = block.readUIntBE(0, idBytes);
    return block.equals(blockOf(purpose, scope, id)) ? id : null;
  }

  get #keyBytes(): Uint8Array {
    this.#key ??= this.#readKey();
    return this.#key;
  }

  #run(cipher: ReturnType<typeof createCipheriv | typeof createDecipheriv>, block: Buffer): Buffer {
    return cipher.setAutoPadding(false).update(block);
  }
}

function blockOf(purpose: Purpose, scope: number, id: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.writeUIntBE(id, 0, idBytes);
  // The beginning is the same for all scopes, also for those that have nothing yet.
  block.writeIntBE(id === 0 ? 0 : scope, idBytes, idBytes);
  block.writeUInt8(purposes[purpose], 2 * idBytes);
  return block;
}

/** The cursors of a store. While its key is unreadable, they are valid for one reader only. */
export function storedCursors(db: OpenDatabase, damageReporter: DamageReporter): OpaqueCursors {
  const readKey = () => {
    const key = db.prepare<[], unknown>('SELECT key FROM cursor_key').pluck().get();
    if (key instanceof Uint8Array && key.length === blockBytes) return key;
    throw new StorageError('corrupt', 'The key for cursors is damaged');
  };
  return new OpaqueCursors(() => damageReporter.read('database', 'the key for cursors', readKey) ?? randomBytes(blockBytes));
}
