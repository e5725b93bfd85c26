/** Long texts, each stored once per app whatever spans repeat it, found by the hash of its bytes. */
import type { OpenDatabase } from '../open.ts';
import { Recent } from '../recent.ts';
import type { BlockBuilder } from './block-builder.ts';

export class TextStore {
  readonly #blocks: BlockBuilder;
  readonly #recent = new Recent<string, number>(60_000);
  readonly #find;
  readonly #insert;

  constructor(db: OpenDatabase, blocks: BlockBuilder) {
    this.#blocks = blocks;
    this.#find = db.prepare<[number, Uint8Array], number>('SELECT id FROM chunk WHERE scope = ? AND hash = ?').pluck();
    this.#insert = db.prepare('INSERT INTO chunk (scope, hash, block, at, size) VALUES (?, ?, ?, ?, ?)');
  }

  /** The number of a text that is stored already, or null. */
  find(scope: number, hash: Buffer): number | null {
    const name = `${scope}:${hash.toString('latin1')}`;
    const known = this.#recent.get(name) ?? this.#find.get(scope, hash);
    if (known === undefined) return null;
    this.#recent.set(name, known);
    return known;
  }

  /** The number of a text, storing it when it is new. */
  keep(scope: number, hash: Buffer, bytes: Uint8Array): number {
    const known = this.find(scope, hash);
    if (known !== null) return known;
    const { block, at, size } = this.#blocks.add(bytes);
    const id = Number(this.#insert.run(scope, hash, block, at, size).lastInsertRowid);
    this.#recent.set(`${scope}:${hash.toString('latin1')}`, id);
    return id;
  }

  forget(): void {
    this.#recent.clear();
  }
}
