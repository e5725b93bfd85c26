/**
 * The spans that may have the words of a search, newest first, in ranges of row ids: units by their signatures, changed spans one by one, and all
 * spans without a signature.
 */
import { readOrWhy } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { QueryWord } from '../signatures/query-words.ts';
import { type SignatureRow, StoredSignatures, type UnitFacts, unreadable } from '../signatures/stored-signatures.ts';
import { blockUnits, groupUnits, signatureFormat, unitSpans } from '../signatures/units.ts';
import type { Candidates } from '../signatures/word-group.ts';
import { NewestFirst } from './newest-first.ts';

/** Row ids of spans, both included. */
export interface SpanRange {
  first: number;
  last: number;
  /** In microseconds: no span of the range starts, and no trace of its spans is listed, later. */
  newest: number;
  /** Of the unit; null if they are not known. */
  traits: number | null;
}

/** Starts in microseconds, both included. */
export interface Starts {
  from: number;
  to: number;
}

export const anyTime: Starts = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** All clauses must hold; each needs all words of at least one of its lists. */
export type NeededWords = readonly (readonly (readonly QueryWord[])[])[];

type Item = SpanRange | { newest: number; open: () => void };

/** Up to this many spans without a signature are sorted by unit; more are read in order of their start. */
const sortedSpansMax = 4 * groupUnits * unitSpans;
const changedAtOnce = 64;

export class CandidateSpans {
  readonly #db: OpenDatabase;
  readonly #signatures: StoredSignatures;
  readonly #scope: number;
  readonly #needed: NeededWords;
  readonly #starts: Starts;
  readonly #queue = new NewestFirst<Item>();

  /** @param scope of spans that have no signature; spans with one are not filtered by it @param starts of spans, or of their traces */
  constructor(db: OpenDatabase, scope: number, needed: NeededWords, starts: Starts) {
    this.#db = db;
    this.#signatures = new StoredSignatures(db);
    this.#scope = scope;
    this.#needed = needed;
    this.#starts = starts;
    const rows = this.#signatures.list();
    for (const row of rows) if (row.newest >= starts.from) this.#queue.add({ newest: row.newest, open: () => this.#openSignature(row) });
    this.#addChanged();
    this.#addOthers(rows);
  }

  /** No further candidate is newer; null when there is none. */
  get newest(): number | null {
    return this.#queue.newest;
  }

  next(): SpanRange | undefined {
    for (let item = this.#queue.take(); item; item = this.#queue.take()) {
      if (!('open' in item)) return item;
      item.open();
    }
    return undefined;
  }

  #openSignature(row: SignatureRow): void {
    const { value } = readOrWhy(() => ({ facts: this.#signatures.facts(row), found: this.#unitsOf(row) }));
    if (!value) {
      // Spans with a damaged signature are read.
      for (let unit = row.first; unit < row.first + row.units; unit++) this.#addUnit(unit, row.newest, unreadable);
      return;
    }
    const { facts, found } = value;
    for (const [index, { newest, oldest, traits, encodedSpans }] of facts.entries()) {
      if (newest < this.#starts.from || oldest > this.#starts.to) continue;
      if (traits === unreadable || has(found.whole, index)) this.#addUnit(row.first + index, newest, traits);
      else if (has(found.units, index)) this.#addSpans(row.first + index, encodedSpans, newest, traits);
    }
  }

  #addSpans(unit: number, spans: Uint8Array, newest: number, traits: UnitFacts['traits']): void {
    for (let at = 0; at < unitSpans; at++) {
      if (!has(spans, at)) continue;
      const first = unit * unitSpans + at;
      while (at + 1 < unitSpans && has(spans, at + 1)) at++;
      this.#queue.add({ first, last: unit * unitSpans + at, newest, traits });
    }
  }

  #addUnit(unit: number, newest: number, traits: UnitFacts['traits'] | null): void {
    this.#queue.add({ first: unit * unitSpans, last: (unit + 1) * unitSpans - 1, newest, traits });
  }

  #unitsOf(row: SignatureRow): Candidates {
    const words = this.#signatures.open(row);
    const found = words.unitsOf(this.#needed);
    words.close();
    return found;
  }

  #addChanged(): void {
    const changed = this.#db
      .prepare<[number], { span: number; newest: number }>(
        `SELECT content_change.span, ${newestOf} AS newest FROM content_change
         CROSS JOIN span ON span.id = content_change.span CROSS JOIN trace ON trace.id = span.trace WHERE span.scope = ? ORDER BY newest DESC`,
      )
      .all(this.#scope);
    for (let from = 0; from < changed.length; from += changedAtOnce) {
      const part = changed.slice(from, from + changedAtOnce);
      const newest = part[0]?.newest ?? 0;
      for (const { span } of part) this.#queue.add({ first: span, last: span, newest, traits: null });
    }
  }

  /** Spans without a signature. */
  #addOthers(rows: readonly SignatureRow[]): void {
    const gaps = gapsOf(rows);
    const last = this.#db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM span').pluck().get() ?? 0;
    const first = this.#db.prepare<[], number>('SELECT coalesce(min(id), 0) FROM span').pluck().get() ?? 0;
    const ranges = gaps.map((gap) => [Math.max(first, gap[0]), Math.min(last, gap[1])] as const).filter(([from, to]) => from <= to);
    const count = ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
    if (count > sortedSpansMax) this.#queue.add({ newest: Number.POSITIVE_INFINITY, open: () => this.#walk(null) });
    else for (const range of ranges) this.#addUnits(...range);
  }

  #addUnits(first: number, last: number): void {
    const units = this.#db.prepare<[number, number, number], { unit: number; newest: number }>(
      `SELECT span.id / ${unitSpans} AS unit, max(${newestOf}) AS newest FROM span NOT INDEXED CROSS JOIN trace ON trace.id = span.trace
       WHERE span.id BETWEEN ? AND ? AND span.scope = ? GROUP BY unit`,
    );
    for (const { unit, newest } of units.iterate(first, last, this.#scope)) this.#addUnit(unit, newest, null);
  }

  /** Adds the next spans without a signature in order of their start. */
  #walk(after: { start_us: number; id: number } | null): void {
    const found = this.#db
      .prepare<unknown[], { start_us: number; id: number }>(
        `SELECT start_us, id FROM span INDEXED BY span_started WHERE scope = ? AND (start_us, id) < (?, ?) AND NOT ${hasSignature}
         ORDER BY start_us DESC, id DESC LIMIT ${unitSpans}`,
      )
      .all(this.#scope, after?.start_us ?? Number.MAX_SAFE_INTEGER, after?.id ?? Number.MAX_SAFE_INTEGER);
    const [newest, oldest] = [found[0], found.at(-1)];
    if (!newest || !oldest) return;
    for (const { id, start_us } of found) this.#queue.add({ first: id, last: id, newest: start_us, traits: null });
    this.#queue.add({ newest: oldest.start_us, open: () => this.#walk(oldest) });
  }
}

const has = (set: Uint8Array, index: number): boolean => (((set[index >> 3] as number) >> (index & 7)) & 1) === 1;

/** Traces are listed when they start, or when they arrived if their start cannot be right. */
const newestOf = 'max(span.start_us, trace.listed_us)';

const startOf = (units: number): string => `span.id / ${units * unitSpans} * ${units}`;
const hasSignature = `EXISTS (SELECT 1 FROM signature WHERE first IN (${startOf(groupUnits)}, ${startOf(blockUnits)})
  AND first + units > span.id / ${unitSpans} AND format = ${signatureFormat})`;

/** Ranges of span rows between signatures, which are sorted. */
function gapsOf(rows: readonly SignatureRow[]): [first: number, last: number][] {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const { first, units } of rows) {
    if (first > next) gaps.push([next * unitSpans, first * unitSpans - 1]);
    next = Math.max(next, first + units);
  }
  gaps.push([next * unitSpans, Number.MAX_SAFE_INTEGER]);
  return gaps;
}
