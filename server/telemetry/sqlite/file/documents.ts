/** Small shared JSON documents, read by number. They never change, so the ones used last are kept parsed. */
import { StorageError } from '../../storage-error.ts';
import { Recent } from '../read/recent.ts';
import { decoding, isObject, stored } from './damaged.ts';
import type { OpenDatabase } from './open.ts';

export class Documents {
  readonly #find;
  readonly #parsed = new Recent<number, unknown>(2_000);

  constructor(db: OpenDatabase) {
    this.#find = db.prepare<[number], string>('SELECT json FROM document WHERE id = ?').pluck();
  }

  /** Shared between callers: read it, never change it. */
  parsed(id: number): unknown {
    const known = this.#parsed.get(id);
    if (known !== undefined) return known;
    const text = stored(this.#find.get(id), `Document ${id}`);
    const value: unknown = decoding(`Document ${id}`, () => JSON.parse(text));
    if (!isObject(value)) throw new StorageError('corrupt', `Document ${id} is damaged: it holds something else`);
    this.#parsed.set(id, value);
    return value;
  }

  /** After a rollback a number may be assigned to another document. */
  forget(): void {
    this.#parsed.clear();
  }
}
