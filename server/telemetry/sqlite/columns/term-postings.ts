/**
 * Which traces hold which terms on any of their spans. `all_trace_terms` says it of all; of terms that many traces hold, segments keep it as bits, a
 * hundredth of the work.
 */
import { StorageError } from '../../storage-error.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { runTimeSlice } from '../write/time-slice.ts';
import { eachBit, IdSet, wordsOf } from './bitmap.ts';
import { postingChecksum } from './checksums.ts';
import { traceResource, version } from './stored-columns.ts';

const segmentRows = traceResource.rows;
const words = wordsOf(segmentRows);
/** So many traces of a segment make a term common. */
const commonMin = 64;
/** Keys with more values than this have no common ones worth looking for. */
const valuesMax = 500;

/** Collects the common terms of a segment, for the maker. */
export class PostingBuilder {
  readonly #nextKey;
  readonly #termsOf;
  readonly #traces;

  constructor(db: OpenDatabase) {
    this.#nextKey = db.prepare<[number, string], string | null>('SELECT min(key) FROM term WHERE scope = ? AND key > ?').pluck();
    this.#termsOf = db.prepare<[number, string], number>(`SELECT id FROM term WHERE scope = ? AND key = ? LIMIT ${valuesMax + 1}`).pluck();
    this.#traces = db
      .prepare<[number, number, number], number>('SELECT trace FROM all_trace_terms WHERE term = ? AND trace BETWEEN ? AND ?')
      .pluck();
  }

  /** @param scopes scope of each row; 0 for none */
  *build(segment: number, scopes: Float64Array): Generator<void, Map<number, Uint32Array>> {
    const found = new Map<number, Uint32Array>();
    const counts = new Map<number, number>();
    for (const scope of scopes) counts.set(scope, (counts.get(scope) ?? 0) + 1);
    counts.delete(0);
    const first = segment * segmentRows;
    for (const [scope, count] of counts) {
      if (count < commonMin) continue;
      for (let key = this.#nextKey.get(scope, ''); key; key = this.#nextKey.get(scope, key)) {
        const terms = this.#termsOf.all(scope, key);
        if (terms.length > valuesMax) continue;
        const piece = () => {
          const term = terms.pop();
          if (term === undefined) return false;
          const traces = this.#traces.all(term, first, first + segmentRows - 1);
          if (traces.length >= commonMin) found.set(term, bitsOf(traces, first));
          return true;
        };
        while (runTimeSlice(piece)) yield;
      }
    }
    return found;
  }
}

function bitsOf(rows: Iterable<number>, first: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const row of rows) bits[(row - first) >>> 5] = (bits[(row - first) >>> 5] as number) | (1 << ((row - first) & 31));
  return bits;
}

export class TermPostings {
  readonly #damageReporter: DamageReporter;
  readonly #common;
  readonly #bits;
  readonly #isMade;
  readonly #range;
  readonly #all;
  readonly #stale;
  readonly #changed;
  readonly #last;

  constructor(db: OpenDatabase, damageReporter: DamageReporter) {
    this.#damageReporter = damageReporter;
    const resource = traceResource.number;
    this.#common = db.prepare<[number], number>('SELECT EXISTS (SELECT 1 FROM column_posting WHERE term = ?)').pluck();
    this.#bits = db.prepare<[number, number], { traces: Buffer; checksum: number }>(
      'SELECT traces, checksum FROM column_posting WHERE term = ? AND segment = ?',
    );
    this.#isMade = db
      .prepare<[number], number>(`SELECT 1 FROM column_segment WHERE resource = ${resource} AND segment = ? AND version = ${version}`)
      .pluck();
    this.#range = db
      .prepare<[number, number, number], number>('SELECT trace FROM all_trace_terms WHERE term = ? AND trace BETWEEN ? AND ?')
      .pluck();
    this.#all = db.prepare<[string], number>('SELECT trace FROM all_trace_terms WHERE term IN (SELECT value FROM json_each(?))').pluck();
    this.#stale = db
      .prepare<[number, number], number>(`SELECT row FROM column_stale WHERE resource = ${resource} AND row BETWEEN ? AND ?`)
      .pluck();
    this.#changed = db
      .prepare<[number, number, number], number>(
        `SELECT row FROM column_stale CROSS JOIN all_trace_terms AS terms ON terms.term = ? AND terms.trace = row
         WHERE resource = ${resource} AND row BETWEEN ? AND ?`,
      )
      .pluck();
    this.#last = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM trace').pluck();
  }

  /** Traces with any of the terms. @param check runs now and then */
  tracesWith(terms: IdSet, check: () => void): IdSet {
    const traces = new IdSet();
    const others: number[] = [];
    const segments = Math.floor((this.#last.get() ?? 0) / segmentRows);
    eachBit(terms.words, (term) => {
      check();
      if (this.#common.get(term) === 0) others.push(term);
      else for (let segment = 0; segment <= segments; segment++) traces.addRows(segment * segmentRows, this.inSegment(term, segment));
    });
    for (const trace of this.#all.iterate(JSON.stringify(others))) traces.add(trace);
    return traces;
  }

  /** The traces of a segment that hold a term. */
  inSegment(term: number, segment: number): Uint32Array {
    const first = segment * segmentRows;
    const last = first + segmentRows - 1;
    const stored = this.#stored(term, segment);
    if (!stored) return bitsOf(this.#range.all(term, first, last), first);
    for (const row of this.#stale.all(first, last)) {
      stored[(row - first) >>> 5] = (stored[(row - first) >>> 5] as number) & ~(1 << ((row - first) & 31));
    }
    for (const row of this.#changed.all(term, first, last)) {
      stored[(row - first) >>> 5] = (stored[(row - first) >>> 5] as number) | (1 << ((row - first) & 31));
    }
    return stored;
  }

  /** Null where the segment has none, or where it is damaged: then the term is looked up. */
  #stored(term: number, segment: number): Uint32Array | null {
    return this.#damageReporter.read('database', `traces of term ${term} in ${segment}`, () => {
      if (this.#isMade.get(segment) === undefined) return null;
      const posting = this.#bits.get(term, segment);
      if (!posting) return null;
      if (postingChecksum(term, segment, posting.traces) !== posting.checksum)
        throw new StorageError('corrupt', 'The traces of a term do not match their checksum');
      const bits = new Uint32Array(words);
      new Uint8Array(bits.buffer).set(posting.traces);
      return bits;
    });
  }
}
