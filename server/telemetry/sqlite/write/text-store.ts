/**
 * Long texts, each stored once per app under the hash of its bytes. Histories repeat recent texts, so recently used texts are kept in memory,
 * and there is no index on hashes: they are random, and every new text would dirty a page. A text that returns after a long time is stored
 * again, which costs its bytes only, and guarantees retention that no younger span refers to an old text.
 */
import { stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { BlockBuilder } from './block-builder.ts';
import { HashTable } from './hash-table.ts';

const knownMax = 60_000;
/** Number of the newest texts that a new writer reads from the store. */
const remindedMax = 20_000;
/** A text is shared only by spans within so many later blocks. May only decrease, because stored data relies on it. */
export const repeatedWithin = 1024;

interface Row {
  id: number;
  scope: number;
  hash: Buffer;
  block: number;
}

/** The first text of a block. */
interface Start {
  block: number;
  id: number;
}

export class TextStore {
  readonly #blocks: BlockBuilder;
  readonly #newest;
  readonly #hash;
  readonly #insert;
  #known: HashTable | null = null;
  /** Blocks whose texts can still be shared. */
  #starts: Start[] = [];

  constructor(db: OpenDatabase, blocks: BlockBuilder) {
    this.#blocks = blocks;
    this.#newest = db.prepare<[number], Row>('SELECT id, scope, hash, block FROM chunk ORDER BY id DESC LIMIT ?');
    this.#hash = db.prepare<[number], Buffer>('SELECT hash FROM chunk WHERE id = ?').pluck();
    this.#insert = db.prepare('INSERT INTO chunk (scope, hash, block, at, size) VALUES (?, ?, ?, ?, ?)');
  }

  /** The number of a text, storing it when it is not known. */
  keep(scope: number, hash: Buffer, bytes: Uint8Array): number {
    this.#known ??= this.#remind();
    const known = this.#known.get(scope, hash);
    if (known >= this.#oldest()) return known;
    const { block, at, size } = this.#blocks.add(bytes);
    const id = Number(this.#insert.run(scope, hash, block, at, size).lastInsertRowid);
    this.#know(this.#known, { id, scope, hash, block });
    return id;
  }

  /** The first text that may be repeated; 0, which none has, is never one. */
  #oldest(): number {
    const from = this.#blocks.current - repeatedWithin;
    while (this.#starts[0] && this.#starts[0].block < from) this.#starts.shift();
    return this.#starts[0]?.id ?? Number.POSITIVE_INFINITY;
  }

  #know(known: HashTable, { id, scope, hash, block }: Row): void {
    known.set(scope, hash, id);
    if (this.#starts.at(-1)?.block !== block) this.#starts.push({ block, id });
  }

  /** Hash of the text with this number. */
  hashOf(id: number): Buffer {
    return stored(this.#hash.get(id), `Text ${id}`);
  }

  #remind(): HashTable {
    const known = new HashTable(knownMax);
    this.#starts = [];
    for (const row of this.#newest.all(remindedMax).reverse()) this.#know(known, row);
    return known;
  }

  forget(): void {
    this.#known = null;
  }
}
