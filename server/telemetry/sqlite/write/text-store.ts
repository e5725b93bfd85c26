/**
 * Long texts, each stored once per app whatever spans repeat it, known by the hash of its bytes. Histories repeat what was said
 * lately, so the texts used last are known in memory, and there is no index over hashes: they are random, and every new text
 * would dirty a page of its own. A text that comes back after a very long time is stored again, which costs its bytes only.
 */
import { must } from '../../../platform/assert.ts';
import type { OpenDatabase } from '../open.ts';
import type { BlockBuilder } from './block-builder.ts';
import { HashTable } from './hash-table.ts';

const knownMax = 60_000;
/** How many of the newest are looked up in the store by one that has just begun. */
const remindedMax = 20_000;

interface Row {
  id: number;
  scope: number;
  hash: Buffer;
}

export class TextStore {
  readonly #blocks: BlockBuilder;
  readonly #newest;
  readonly #hash;
  readonly #insert;
  #known: HashTable | null = null;

  constructor(db: OpenDatabase, blocks: BlockBuilder) {
    this.#blocks = blocks;
    this.#newest = db.prepare<[number], Row>('SELECT id, scope, hash FROM chunk ORDER BY id DESC LIMIT ?');
    this.#hash = db.prepare<[number], Buffer>('SELECT hash FROM chunk WHERE id = ?').pluck();
    this.#insert = db.prepare('INSERT INTO chunk (scope, hash, block, at, size) VALUES (?, ?, ?, ?, ?)');
  }

  /** The number of a text, storing it when it is not known. */
  keep(scope: number, hash: Buffer, bytes: Uint8Array): number {
    this.#known ??= this.#remind();
    const known = this.#known.get(scope, hash);
    if (known !== 0) return known;
    const { block, at, size } = this.#blocks.add(bytes);
    const id = Number(this.#insert.run(scope, hash, block, at, size).lastInsertRowid);
    this.#known.set(scope, hash, id);
    return id;
  }

  /** Of the text with this number. */
  hashOf(id: number): Buffer {
    return must(this.#hash.get(id), `text ${id} is stored`);
  }

  #remind(): HashTable {
    const known = new HashTable(knownMax);
    for (const { id, scope, hash } of this.#newest.all(remindedMax).reverse()) known.set(scope, hash, id);
    return known;
  }

  forget(): void {
    this.#known = null;
  }
}
