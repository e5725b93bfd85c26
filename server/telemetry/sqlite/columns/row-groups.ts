/**
 * The rows of a resource by column: each group is a run of row ids, read from its segment, or from the table where there is none. Rows
 * that changed since their segment was made are read from the table, too, so that a group always has the values of the running snapshot.
 */
import { release } from '../../../platform/release.ts';
import { StorageError } from '../../storage-error.ts';
import type { DamageReporter } from '../file/damaged.ts';
import { readOrWhy } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { type CallSums, decodeCallSums } from './call-sums.ts';
import { type ChunkHead, dataChecksum, headChecksum } from './checksums.ts';
import { type Column, decodeChunk, encoding, plainColumn, readColumn } from './chunk-codec.ts';
import { registerIdHash } from './id-hash.ts';
import { callSums, chunkId, metadataTerms, type StoredResource, version } from './stored-columns.ts';

type Head = ChunkHead & { head_checksum: number };
type Data = { data: Buffer | null; data_checksum: number };
type Row = [id: number, value: number];

/** Range of the values of a column. */
export type Zone = Pick<Column, 'low' | 'high'>;

/** Groups that are read from the table; in a store from before it is all of them, until the segments are made. */
const unmadeMax = 16;

/** Statements for one resource. */
export class RowGroups {
  readonly resource: StoredResource;
  readonly #db: OpenDatabase;
  readonly #damageReporter: DamageReporter;
  readonly #ends;
  readonly #segments;
  readonly #stale;
  readonly #head;
  readonly #data;
  readonly #dense;

  constructor(db: OpenDatabase, resource: StoredResource, damageReporter: DamageReporter) {
    const { number, table } = resource;
    registerIdHash(db);
    this.resource = resource;
    this.#db = db;
    this.#damageReporter = damageReporter;
    this.#ends = db.prepare<[], { first: number | null; last: number | null }>(
      `SELECT (SELECT min(id) FROM ${table}) AS first, (SELECT max(id) FROM ${table}) AS last`,
    );
    this.#segments = db
      .prepare<[], number>(`SELECT segment FROM column_segment WHERE resource = ${number} AND version = ${version}`)
      .pluck();
    this.#stale = db
      .prepare<[number], number>(`SELECT row FROM column_stale WHERE resource = ${number} AND row >= ? ORDER BY row LIMIT 1`)
      .pluck();
    this.#head = db.prepare<[number], Head>('SELECT encoding, low, high, unit, head_checksum FROM column_chunk WHERE id = ?');
    this.#data = db.prepare<[number], Data>('SELECT data, data_checksum FROM column_chunk WHERE id = ?');
    this.#dense = db.prepare<[number, number], number>(`SELECT count(*) FROM ${table} WHERE id BETWEEN ? AND ?`).pluck();
  }

  /** Groups in order of row ids. Each holds what it has read until it is released. */
  all(): RowGroup[] {
    const { first, last } = this.#ends.get() ?? {};
    if (typeof first !== 'number' || typeof last !== 'number') return [];
    const made = new Set(this.#segments.all());
    const stale = this.#staleSegments();
    const groups: RowGroup[] = [];
    const { rows } = this.resource;
    for (let segment = Math.floor(first / rows); segment <= Math.floor(last / rows); segment++) {
      groups.push(new RowGroup(this, segment, made.has(segment), stale.has(segment)));
    }
    return groups;
  }

  /** Whether so few rows are outside segments that columns are faster than statements on the table. */
  areMade(): boolean {
    return this.all().filter(({ isStored }) => !isStored).length <= unmadeMax;
  }

  /** Skips from segment to segment, however many rows of each have changed. */
  #staleSegments(): Set<number> {
    const segments = new Set<number>();
    for (let row = this.#stale.get(0); row !== undefined; ) {
      const segment = Math.floor(row / this.resource.rows);
      segments.add(segment);
      row = this.#stale.get((segment + 1) * this.resource.rows);
    }
    return segments;
  }

  /** Null when there is none. @throws StorageError `corrupt` */
  head(segment: number, name: string): Head | null {
    const id = chunkId(this.resource, name, segment);
    const head = this.#head.get(id);
    if (!head) return null;
    if (headChecksum(id, head) !== head.head_checksum)
      throw new StorageError('corrupt', 'The head of a column does not match its checksum');
    return head;
  }

  /** Bytes of a chunk that has any. @throws StorageError `corrupt` */
  data(segment: number, name: string, head: Head): Buffer | null {
    const row = this.#data.get(chunkId(this.resource, name, segment));
    if (!row?.data) return null;
    if (dataChecksum(row.data, head.head_checksum) !== row.data_checksum)
      throw new StorageError('corrupt', 'The values of a column do not match their checksum');
    return row.data;
  }

  /** Values of a whole group from the table; rows that are not there have 0. */
  fromTable(segment: number, name: string): Float64Array {
    const { table, columns, rows } = this.resource;
    const first = segment * rows;
    const last = first + rows - 1;
    const values = new Float64Array(rows);
    const select = `FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id`;
    // Without gaps the ids need not be read.
    if (this.#dense.get(first, last) === rows) {
      values.set(this.#db.prepare<[number, number], number>(`SELECT ${columns[name]} ${select}`).pluck().all(first, last));
      return values;
    }
    for (const [id, value] of this.#db.prepare<[number, number], Row>(`SELECT id, ${columns[name]} ${select}`).raw().all(first, last))
      values[id - first] = value;
    return values;
  }

  /** Current values of the changed rows of a segment; 0 for rows that are not there. */
  changed(segment: number, name: string): Row[] {
    const { table, columns, number, rows } = this.resource;
    const first = segment * rows;
    return this.#db
      .prepare<[number, number], Row>(
        `SELECT column_stale.row, coalesce(${columns[name]}, 0) FROM column_stale LEFT JOIN ${table} ON ${table}.id = column_stale.row
         WHERE column_stale.resource = ${number} AND column_stale.row BETWEEN ? AND ?`,
      )
      .raw()
      .all(first, first + rows - 1);
  }

  /** What `read` gives; null for damage, which is reported. */
  reading<T>(segment: number, name: string, read: () => T | null): T | null {
    const { value, why } = readOrWhy(read);
    if (value === null)
      this.#damageReporter.report('database', `column ${name} of ${this.resource.table} ${segment}`, why ?? 'It is no column');
    return value;
  }
}

export class RowGroup {
  /** Row id of the first row. */
  readonly first: number;
  /** Number of its rows, which need not all be there. */
  readonly size: number;
  readonly #groups: RowGroups;
  readonly segment: number;
  readonly isStored: boolean;
  /** Whether rows changed since its segment was made. */
  readonly isStale: boolean;
  readonly #columns = new Map<string, Column>();
  readonly #heads = new Map<string, Zone>();
  #held: Uint8Array[] = [];

  constructor(groups: RowGroups, segment: number, isStored: boolean, isStale: boolean) {
    this.#groups = groups;
    this.segment = segment;
    this.size = groups.resource.rows;
    this.first = segment * this.size;
    this.isStored = isStored;
    this.isStale = isStored && isStale;
  }

  /** Bounds of the values of a column, which cost less to read than the values. */
  zone(name: string): Zone {
    const column = this.#columns.get(name);
    if (column) return column;
    const known = this.#heads.get(name);
    if (known) return known;
    const head = this.isStored ? this.#groups.reading(this.segment, name, () => this.#groups.head(this.segment, name)) : null;
    if (head === null) return this.column(name);
    let { low, high } = head;
    if (this.isStale)
      for (const [, value] of this.#groups.changed(this.segment, name)) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    const zone = { low, high };
    this.#heads.set(name, zone);
    return zone;
  }

  column(name: string): Column {
    let column = this.#columns.get(name);
    if (column) return column;
    column = this.isStored ? this.#stored(name) : this.#plain(this.#groups.fromTable(this.segment, name));
    this.#columns.set(name, column);
    return column;
  }

  /** Terms of the documents of its rows (metadata-terms.ts); of changed rows they may be missing. Null where they are not stored. */
  metadataTerms(): Float64Array | null {
    return this.#numbers(metadataTerms);
  }

  /** Its calls by the hour; null where they are not stored, or no longer right. */
  callSums(): CallSums[] | null {
    if (this.isStale) return null;
    const numbers = this.#numbers(callSums);
    return numbers && decodeCallSums(numbers);
  }

  #numbers(name: string): Float64Array | null {
    if (!this.isStored) return null;
    return this.#groups.reading(this.segment, name, () => {
      const head = this.#groups.head(this.segment, name);
      const data = head && this.#groups.data(this.segment, name, head);
      if (!data || data.length % 8 !== 0) return null;
      const bytes = data.byteOffset % 8 === 0 ? data : new Uint8Array(data);
      this.#held.push(bytes);
      return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    });
  }

  /** Gives back the memory. What was read must not be used afterwards; it is read again when it is asked for. */
  release(): void {
    this.#columns.clear();
    for (const bytes of this.#held) release(bytes);
    this.#held = [];
  }

  #stored(name: string): Column {
    const column = this.#groups.reading(this.segment, name, () => {
      const head = this.#groups.head(this.segment, name);
      if (!head) return null;
      const data = head.encoding === encoding.constant ? null : this.#groups.data(this.segment, name, head);
      if (data) this.#held.push(data);
      return decodeChunk({ ...head, data }, this.size);
    });
    if (column === null) return this.#plain(this.#groups.fromTable(this.segment, name));
    return this.isStale ? this.#patched(column, name) : column;
  }

  #patched(column: Column, name: string): Column {
    const values = new Float64Array(this.size);
    readColumn(column, this.size, values);
    for (const [id, value] of this.#groups.changed(this.segment, name)) values[id - this.first] = value;
    return this.#plain(values);
  }

  #plain(values: Float64Array): Column {
    this.#held.push(new Uint8Array(values.buffer));
    return plainColumn(values);
  }
}
