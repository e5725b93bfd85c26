/**
 * Overwrites what deleted spans leave in blocks, which spans of other traces share: their records, replaced versions of them, and texts that no
 * other span refers to. First all rows are read, which tells the texts and bytes in use; what is written meanwhile goes to later blocks, and texts
 * that it shares are marked. A text without a mark is deleted, and bytes that no row refers to become zeros, so no place of other records changes.
 */
import { deflateZstd, inflateZstd } from '../../../platform/zstd.ts';
import { readOrWhy } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { type RecordReader, readRecord } from '../read/record-reader.ts';
import type { Place } from './block-builder.ts';
import { noScope } from './reserved-ids.ts';
import type { TextStore } from './text-store.ts';
import { runTimeSlice } from './time-slice.ts';
import type { TraceRemoval } from './trace-removal.ts';

const pieceRows = 100;
/** Blocks whose rows are collected at once. */
const groupBlocks = 64;
const tables = ['span', 'span_log', 'chunk'] as const;
type Table = (typeof tables)[number];

interface Row extends Place {
  id: number;
  scope: number;
}

/** What rows refer to, by block. */
interface Use {
  bytes: Float64Array;
  /** First and last row of each table, 0 for none. */
  first: Record<Table, Float64Array>;
  last: Record<Table, Float64Array>;
}

export class ByteErasure {
  readonly #db: OpenDatabase;
  readonly #records: RecordReader;
  readonly #texts: TextStore;
  readonly #removal: TraceRemoval;
  /** By text id, 1 for those in use. */
  #marks = new Uint8Array(0);

  constructor(db: OpenDatabase, records: RecordReader, texts: TextStore, removal: TraceRemoval) {
    this.#db = db;
    this.#records = records;
    this.#texts = texts;
    this.#removal = removal;
  }

  /**
   * Erases a step at a time.
   * @param scopes apps whose unused texts are deleted
   */
  *erase(scopes: ReadonlySet<number>): Generator<void> {
    const blocks = this.#newest('block');
    const perBlock = () => new Float64Array(blocks + 1);
    const perTable = () => ({ span: perBlock(), span_log: perBlock(), chunk: perBlock() });
    const use: Use = { bytes: perBlock(), first: perTable(), last: perTable() };
    this.#marks = new Uint8Array(this.#newest('chunk') + 1);
    this.#texts.onReuse = (id) => this.#mark(id);
    try {
      yield* this.#markTexts(scopes, use);
      yield* this.#dropTexts(scopes, use);
      this.#texts.onReuse = null;
      yield* this.#overwrite(use);
    } finally {
      this.#texts.onReuse = null;
      this.#texts.forget();
      this.#marks = new Uint8Array(0);
    }
  }

  #mark(id: number): void {
    if (id < this.#marks.length) this.#marks[id] = 1;
  }

  *#markTexts(scopes: ReadonlySet<number>, use: Use): Generator<void> {
    for (const table of ['span', 'span_log'] as const)
      yield* this.#rows(table, (row) => {
        this.#count(use, table, row);
        if (!scopes.has(row.scope)) return;
        const { value: texts } = readOrWhy(() => readRecord(this.#records.bytes(row)).textIds);
        // A damaged record may need any text.
        if (texts) for (const text of texts) this.#mark(text);
        else this.#marks.fill(1);
      });
  }

  *#dropTexts(scopes: ReadonlySet<number>, use: Use): Generator<void> {
    const drop = this.#db.prepare<[number]>('DELETE FROM chunk WHERE id = ?');
    // The newest row stays, so that its id is not used again.
    const clear = this.#db.prepare<[number]>(`UPDATE chunk SET scope = ${noScope}, hash = zeroblob(16), at = 0, size = 0 WHERE id = ?`);
    const newest = this.#marks.length - 1;
    yield* this.#rows('chunk', (row) => {
      const isKept = (row.scope !== noScope && !scopes.has(row.scope)) || this.#marks[row.id] === 1 || row.id > newest;
      if (isKept) return this.#count(use, 'chunk', row);
      this.#texts.drop(row.id);
      this.#removal.release(row.scope, row.size);
      if (row.id === newest) clear.run(row.id);
      else drop.run(row.id);
    });
  }

  #count({ bytes, first, last }: Use, table: Table, { id, block, size }: Row): void {
    if (block >= bytes.length) return;
    bytes[block] = (bytes[block] as number) + size;
    if (first[table][block] === 0) first[table][block] = id;
    last[table][block] = id;
  }

  /** Calls back for the rows that are there at the start, a step at a time. */
  *#rows(table: Table, each: (row: Row) => void, from = 1, to = this.#newest(table)): Generator<void> {
    const scope = table === 'span_log' ? '(SELECT scope FROM trace WHERE trace.id = span_log.trace)' : 'scope';
    const page = this.#db.prepare<[number, number], Row>(
      `SELECT id, ${scope} AS scope, block, at, size FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ${pieceRows}`,
    );
    let next = from;
    const piece = () => {
      const rows = page.all(next, to);
      for (const row of rows) each(row);
      next = (rows.at(-1)?.id ?? to) + 1;
      return rows.length === pieceRows;
    };
    const step = this.#db.transaction(() => runTimeSlice(piece));
    for (let isMore = from <= to; isMore; ) {
      isMore = step.immediate();
      this.#records.forget();
      yield;
    }
  }

  *#overwrite(use: Use): Generator<void> {
    const page = this.#db.prepare<[number, number], { id: number; bytes: number }>(
      `SELECT block.id, coalesce(block_use.bytes, block.size) AS bytes FROM block LEFT JOIN block_use ON block_use.block = block.id
       WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ${groupBlocks}`,
    );
    const last = use.bytes.length - 1;
    for (let next = 1; next <= last; ) {
      const blocks = page.all(next, last);
      if (blocks.length === 0) return;
      next = (blocks.at(-1)?.id as number) + 1;
      const partly = blocks.filter(({ id, bytes }) => (use.bytes[id] as number) < bytes).map(({ id }) => id);
      if (partly.length > 0) yield* this.#overwriteBlocks(partly, use);
      else yield;
    }
  }

  *#overwriteBlocks(blocks: readonly number[], { bytes, first, last }: Use): Generator<void> {
    const places = new Map(blocks.map((id) => [id, [] as Place[]]));
    for (const table of tables) {
      const starts = blocks.map((id) => first[table][id] as number).filter((id) => id > 0);
      if (starts.length === 0) continue;
      const end = Math.max(...blocks.map((id) => last[table][id] as number));
      yield* this.#rows(table, (row) => places.get(row.block)?.push(row), Math.min(...starts), end);
    }
    const remaining = [...places];
    const step = this.#db.transaction(() =>
      runTimeSlice(() => {
        const [id, used] = remaining.pop() ?? [];
        if (id !== undefined && used) this.#overwriteBlock(id, used, bytes.length - 1);
        return remaining.length > 0;
      }),
    );
    while (step.immediate()) yield;
    yield;
  }

  #overwriteBlock(id: number, used: Place[], newest: number): void {
    if (used.length === 0 && id !== newest) {
      this.#db.prepare('DELETE FROM block WHERE id = ?').run(id);
      return;
    }
    const block = this.#db.prepare<[number], { size: number; data: Buffer }>('SELECT size, data FROM block WHERE id = ?').get(id);
    // Damaged bytes are left as they are found (ADR 025).
    const { value: bytes } = readOrWhy(() => (block ? inflateZstd(block.data, block.size) : null));
    if (!bytes) return;
    const kept = Buffer.alloc(bytes.length);
    for (const { at, size } of used) kept.set(bytes.subarray(at, at + size), at);
    this.#db.prepare('UPDATE block SET data = ? WHERE id = ?').run(deflateZstd(kept, 1), id);
    const sum = used.reduce((total, { size }) => total + size, 0);
    this.#db.prepare('INSERT OR REPLACE INTO block_use (block, bytes) VALUES (?, ?)').run(id, sum);
  }

  #newest(table: string): number {
    return this.#db.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get() ?? 0;
  }
}
