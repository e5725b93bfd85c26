/**
 * Long texts, each stored once per app under the hash of its bytes. Histories repeat recent texts, so recently used texts are kept in memory,
 * and there is no index on hashes: they are random, and every new text would dirty a page. A text that returns after a long time is stored
 * again. That costs only its bytes, and retention can rely on no recent span referring to an old text.
 */
import { stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { BlockBuilder } from './block-builder.ts';
import { HashTable } from './hash-table.ts';

const cachedMax = 60_000;
/** Number of the newest texts that a new writer reads from the store. */
const preloadedMax = 20_000;
/** A text is shared only by spans within this many later blocks. May only decrease, because stored data relies on it. */
export const textReuseBlocks = 1024;

interface Row {
  id: number;
  scope: number;
  hash: Buffer;
  block: number;
}

/** First text of a block. */
interface FirstText {
  block: number;
  id: number;
}

export class TextStore {
  readonly #blocks: BlockBuilder;
  readonly #newest;
  readonly #hash;
  readonly #insert;
  #cache: HashTable | null = null;
  /** Texts in the cache that were deleted. */
  readonly #deleted = new Set<number>();
  /** Called for each text that is shared again. */
  onReuse: ((id: number) => void) | null = null;
  /** Blocks whose texts can still be shared. */
  #firstTexts: FirstText[] = [];

  constructor(db: OpenDatabase, blocks: BlockBuilder) {
    this.#blocks = blocks;
    this.#newest = db.prepare<[number], Row>('SELECT id, scope, hash, block FROM chunk ORDER BY id DESC LIMIT ?');
    this.#hash = db.prepare<[number], Buffer>('SELECT hash FROM chunk WHERE id = ?').pluck();
    this.#insert = db.prepare('INSERT INTO chunk (scope, hash, block, at, size) VALUES (?, ?, ?, ?, ?)');
  }

  /** Id of a text, which is stored if it is not cached. */
  store(scope: number, hash: Buffer, bytes: Uint8Array): number {
    this.#cache ??= this.#preload();
    const cachedId = this.#cache.get(scope, hash);
    if (cachedId >= this.#oldest() && !this.#deleted.has(cachedId)) {
      this.onReuse?.(cachedId);
      return cachedId;
    }
    const { block, at, size } = this.#blocks.add(bytes);
    const id = Number(this.#insert.run(scope, hash, block, at, size).lastInsertRowid);
    this.#remember(this.#cache, { id, scope, hash, block });
    return id;
  }

  /** Id of the oldest text that may still be shared; always above 0, the cache's answer for none. */
  #oldest(): number {
    const from = this.#blocks.current - textReuseBlocks;
    while (this.#firstTexts[0] && this.#firstTexts[0].block < from) this.#firstTexts.shift();
    return this.#firstTexts[0]?.id ?? Number.POSITIVE_INFINITY;
  }

  #remember(cache: HashTable, { id, scope, hash, block }: Row): void {
    cache.set(scope, hash, id);
    if (this.#firstTexts.at(-1)?.block !== block) this.#firstTexts.push({ block, id });
  }

  /** Hash of the text with this id. */
  hashOf(id: number): Buffer {
    return stored(this.#hash.get(id), `Text ${id}`);
  }

  #preload(): HashTable {
    const cache = new HashTable(cachedMax);
    this.#firstTexts = [];
    for (const row of this.#newest.all(preloadedMax).reverse()) this.#remember(cache, row);
    return cache;
  }

  /** The text is deleted from now on: spans do not share it. */
  drop(id: number): void {
    this.#deleted.add(id);
  }

  forget(): void {
    this.#cache = null;
    this.#deleted.clear();
  }
}
