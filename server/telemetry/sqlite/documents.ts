/** Small shared JSON documents, read by number. They never change, so the ones used last are kept parsed. */
import { must } from '../../platform/assert.ts';
import type { OpenDatabase } from './open.ts';
import { Recent } from './recent.ts';

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
    const value: unknown = JSON.parse(must(this.#find.get(id), `document ${id} is stored`));
    this.#parsed.set(id, value);
    return value;
  }

  /** After a rollback a number may come to stand for another document. */
  forget(): void {
    this.#parsed.clear();
  }
}
