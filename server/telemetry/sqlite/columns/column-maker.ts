/**
 * Makes column segments in idle time, of runs of row ids that are complete, a few milliseconds at a time. It runs on the write thread, so no row
 * changes during a step; between steps the triggers of migration 18 note what changes.
 */
import { release } from '../../../platform/release.ts';
import { isDamage } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { runTimeSlice } from '../write/time-slice.ts';
import { encodeCallSums, sumCalls } from './call-sums.ts';
import { dataChecksum, headChecksum, postingChecksum } from './checksums.ts';
import { type EncodedChunk, encodeChunk, encoding } from './chunk-codec.ts';
import { registerIdHash } from './id-hash.ts';
import { encodeTerms, MetadataTerms } from './metadata-terms.ts';
import {
  callSums,
  chunkId,
  metadataTerms,
  type SpanColumn,
  type StoredResource,
  spanResource,
  traceResource,
  version,
} from './stored-columns.ts';
import { PostingBuilder } from './term-postings.ts';

/** Rows read at once. */
const pieceRows = 256;
/** A segment with more changed rows is made again, because queries read those one by one; and one with deleted rows, so that nothing of them is left. */
const staleMax = 1024;
/** Segments looked at for changed rows in one step. */
const looksMax = 8;

/** Chunks written in one transaction, for which a write may have to wait. */
const chunksAtOnce = 4;

/** Values of `column_segment.version` that are not one of the encoding. */
const inProgress = 0;
/** Its rows are damaged: they are read from the table. */
const unreadable = -1;

const noPostings: ReadonlyMap<number, Uint32Array> = new Map();
type Chunks = [column: string, chunk: EncodedChunk][];

/** Numbers that are not those of rows. */
const plainChunk = (data: Uint8Array): EncodedChunk => ({ encoding: encoding.double, low: 0, high: 0, unit: 1, data });

class UnreadableRow extends Error {}

export class ColumnMaker {
  readonly #makers: readonly SegmentMaker[];

  constructor(db: OpenDatabase) {
    registerIdHash(db);
    this.#makers = [spanResource, traceResource].map((resource) => new SegmentMaker(db, resource));
  }

  /** Runs one step. False when there is nothing to do until something is written. */
  step(): boolean {
    return this.#makers.some((maker) => maker.step());
  }
}

class SegmentMaker {
  readonly #resource: StoredResource;
  readonly #names: readonly string[];
  readonly #metadata: MetadataTerms;
  readonly #postings: PostingBuilder;
  readonly #rows;
  readonly #ends;
  readonly #stale;
  readonly #segments;
  readonly #before;
  /** Numbers of the segments that are made or unreadable. Read by the first step, because a damaged store must open. */
  #made: Set<number> | null = null;
  readonly #begin: (segment: number) => void;
  readonly #add: (segment: number, chunks: Chunks) => void;
  readonly #finish: (segment: number, state: number, postings: ReadonlyMap<number, Uint32Array>) => void;
  readonly #drop: (segment: number) => void;
  #pass: Generator<void> | null = null;
  /** Segment that is looked at next for changed rows. */
  #look = 0;

  constructor(db: OpenDatabase, resource: StoredResource) {
    const { number, table, columns, rows } = resource;
    this.#resource = resource;
    this.#names = Object.keys(columns);
    this.#metadata = new MetadataTerms(db);
    this.#postings = new PostingBuilder(db);
    this.#rows = db
      .prepare<[number, number, number], number[]>(
        `SELECT id, ${Object.values(columns).join(', ')} FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?`,
      )
      .raw();
    this.#ends = db.prepare<[], { first: number | null; last: number | null }>(
      `SELECT (SELECT min(id) FROM ${table}) AS first, (SELECT max(id) FROM ${table}) AS last`,
    );
    const changed = `SELECT 1 FROM column_stale WHERE resource = ${number} AND row BETWEEN ? AND ?`;
    this.#stale = db
      .prepare<[number, number, number, number], number>(
        `SELECT EXISTS (${changed} LIMIT 1 OFFSET ${staleMax}) OR EXISTS (${changed} AND NOT EXISTS (SELECT 1 FROM ${table} WHERE id = row))`,
      )
      .pluck();
    this.#segments = db
      .prepare<[], number>(`SELECT segment FROM column_segment WHERE resource = ${number} AND version IN (${version}, ${unreadable})`)
      .pluck();
    this.#before = db.prepare<[number], number>(`SELECT segment FROM column_segment WHERE resource = ${number} AND segment < ?`).pluck();
    const put = db.prepare(`INSERT OR REPLACE INTO column_segment (resource, segment, version) VALUES (${number}, ?, ?)`);
    const clear = db.prepare(`DELETE FROM column_stale WHERE resource = ${number} AND row BETWEEN ? AND ?`);
    const addChunk = chunkInsert(db, resource);
    const dropChunk = db.prepare('DELETE FROM column_chunk WHERE id = ?');
    const addPosting = postingInsert(db);
    const dropPostings = db.prepare('DELETE FROM column_posting WHERE segment = ?');
    const dropSegment = db.prepare(`DELETE FROM column_segment WHERE resource = ${number} AND segment = ?`);
    const empty = (segment: number) => {
      clear.run(segment * rows, (segment + 1) * rows - 1);
      if (resource === traceResource) dropPostings.run(segment);
      for (const column of [...this.#names, metadataTerms, callSums]) dropChunk.run(chunkId(resource, column, segment));
    };
    this.#begin = db.transaction((segment: number) => {
      empty(segment);
      put.run(segment, inProgress);
    }).immediate;
    this.#add = db.transaction((segment: number, chunks: Chunks) => {
      for (const [column, chunk] of chunks) addChunk(segment, column, chunk);
    }).immediate;
    this.#finish = db.transaction((segment: number, state: number, postings: ReadonlyMap<number, Uint32Array>) => {
      for (const [term, traces] of postings) addPosting(term, segment, new Uint8Array(traces.buffer));
      put.run(segment, state);
    }).immediate;
    this.#drop = db.transaction((segment: number) => {
      empty(segment);
      dropSegment.run(segment);
    }).immediate;
  }

  step(): boolean {
    this.#pass ??= this.#next();
    if (!this.#pass) return false;
    if (this.#pass.next().done) this.#pass = null;
    return true;
  }

  #madeSegments(): Set<number> {
    this.#made ??= new Set(this.#segments.all());
    return this.#made;
  }

  #next(): Generator<void> | null {
    const { first, last } = this.#ends.get() ?? {};
    if (typeof first !== 'number' || typeof last !== 'number') return null;
    const { rows } = this.#resource;
    const made = this.#madeSegments();
    const [from, end] = [Math.floor(first / rows), Math.floor((last + 1) / rows)];
    for (let segment = from; segment < end; segment++) if (!made.has(segment)) return this.#make(segment);
    const removed = this.#before.all(from);
    if (removed.length > 0) return this.#dropAll(removed);
    for (let looks = 0; looks < Math.min(looksMax, end - from); looks++) {
      this.#look = this.#look >= from && this.#look + 1 < end ? this.#look + 1 : from;
      const [start, last] = [this.#look * rows, (this.#look + 1) * rows - 1];
      if (this.#stale.get(start, last, start, last) === 1) return this.#make(this.#look);
    }
    return null;
  }

  *#dropAll(segments: readonly number[]): Generator<void> {
    for (const segment of segments) {
      this.#drop(segment);
      this.#madeSegments().delete(segment);
      yield;
    }
  }

  *#make(segment: number): Generator<void> {
    this.#madeSegments().delete(segment);
    this.#begin(segment);
    this.#metadata.forget();
    const values = Object.fromEntries(this.#names.map((name) => [name, new Float64Array(this.#resource.rows)]));
    try {
      yield* this.#read(segment * this.#resource.rows, Object.values(values));
      yield* this.#addChunks(segment, values as Record<SpanColumn, Float64Array>);
      const isTraces = this.#resource === traceResource;
      this.#finish(segment, version, isTraces ? yield* this.#postings.build(segment, values['scope'] as Float64Array) : noPostings);
    } catch (error) {
      if (!isDamage(error) && !(error instanceof UnreadableRow)) throw error;
      this.#finish(segment, unreadable, noPostings);
    } finally {
      for (const column of Object.values(values)) release(new Uint8Array(column.buffer));
    }
    this.#madeSegments().add(segment);
  }

  *#addChunks(segment: number, values: Readonly<Record<SpanColumn, Float64Array>>): Generator<void> {
    if (this.#resource === spanResource) {
      const terms = yield* this.#termsOf(values.metadata);
      this.#add(segment, [[metadataTerms, plainChunk(terms)]]);
      yield;
      this.#add(segment, [[callSums, plainChunk(encodeCallSums(sumCalls(values)))]]);
      yield;
    }
    let chunks: Chunks = [];
    for (const [name, column] of Object.entries(values)) {
      chunks.push([name, encodeChunk(column)]);
      yield;
      if (chunks.length < chunksAtOnce) continue;
      this.#add(segment, chunks);
      chunks = [];
      yield;
    }
    this.#add(segment, chunks);
    yield;
  }

  /** Rows that are not there repeat a neighbour, which costs nothing to store; their scope is 0. */
  *#read(first: number, values: readonly Float64Array[]): Generator<void> {
    let next = 0;
    const fillUpTo = (row: number) => {
      for (const column of values.slice(1)) column.fill(column[next - 1] ?? 0, next, row);
      next = row;
    };
    const piece = () => {
      const rows = this.#rows.all(first + next, first + this.#resource.rows - 1, pieceRows);
      for (const row of rows) {
        const place = (row[0] as number) - first;
        const isFirst = next === 0;
        fillUpTo(place);
        for (let at = 0; at < values.length; at++) {
          const value = row[at + 1];
          if (typeof value !== 'number') throw new UnreadableRow(`Row ${row[0]} of ${this.#resource.table} holds no number`);
          (values[at] as Float64Array).fill(value, isFirst && at > 0 ? 0 : place, place + 1);
        }
        next++;
      }
      return rows.length === pieceRows;
    };
    while (runTimeSlice(piece)) yield;
    fillUpTo(this.#resource.rows);
  }

  *#termsOf(documents: Float64Array): Generator<void, Uint8Array> {
    const remaining = [...new Set(documents)].filter((document) => document !== 0);
    const terms = new Map<number, readonly number[]>();
    const piece = () => {
      const document = remaining.pop();
      if (document === undefined) return false;
      terms.set(document, this.#metadata.of(document));
      return true;
    };
    while (runTimeSlice(piece)) yield;
    return encodeTerms(terms);
  }
}

function chunkInsert(db: OpenDatabase, resource: StoredResource): (segment: number, column: string, chunk: EncodedChunk) => void {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO column_chunk (id, encoding, low, high, unit, data, head_checksum, data_checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return (segment, column, chunk) => {
    const id = chunkId(resource, column, segment);
    const { encoding, low, high, unit, data } = chunk;
    const checksum = headChecksum(id, chunk);
    insert.run(id, encoding, low, high, unit, data, checksum, dataChecksum(data, checksum));
  };
}

function postingInsert(db: OpenDatabase): (term: number, segment: number, traces: Uint8Array) => void {
  const insert = db.prepare('INSERT INTO column_posting (term, segment, traces, checksum) VALUES (?, ?, ?, ?)');
  return (term, segment, traces) => insert.run(term, segment, traces, postingChecksum(term, segment, traces));
}
