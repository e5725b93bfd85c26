/** Small shared JSON documents, read by row id. They never change, so the most recently used are kept parsed. */
import { StorageError } from '../../storage-error.ts';
import { RecentCache } from '../read/recent-cache.ts';
import { decoding, isObject, stored } from './damaged.ts';
import type { OpenDatabase } from './open.ts';

export class Documents {
  readonly #find;
  readonly #parsed = new RecentCache<number, unknown>(2_000);

  constructor(db: OpenDatabase) {
    this.#find = db.prepare<[number], string>('SELECT json FROM document WHERE id = ?').pluck();
  }

  /** Shared between callers: read it, never change it. */
  parsed(id: number): unknown {
    const cached = this.#parsed.get(id);
    if (cached !== undefined) return cached;
    const text = stored(this.#find.get(id), `Document ${id}`);
    const value: unknown = decoding(`Document ${id}`, () => JSON.parse(text));
    if (!isObject(value)) throw new StorageError('corrupt', `Document ${id} is damaged: it is not a JSON object`);
    this.#parsed.set(id, value);
    return value;
  }

  /** After a rollback an id may be assigned to another document. */
  forget(): void {
    this.#parsed.clear();
  }
}
