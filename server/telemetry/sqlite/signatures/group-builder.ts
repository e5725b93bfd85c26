/** Reads the spans of a group, unit by unit, and stores the signatures of complete blocks and of the complete group. */
import { readOrWhy } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { RecordReader } from '../read/record-reader.ts';
import { SpanBytes, type SpanPlace, spanPlaceColumns } from './span-bytes.ts';
import { noSpans, StoredSignatures, type UnitFacts, unreadable } from './stored-signatures.ts';
import { blockUnits, groupUnits, unitSpans } from './units.ts';
import { WordScanner } from './word-scanner.ts';
import { WordTable } from './word-table.ts';

interface Row extends SpanPlace {
  id: number;
  start_us: number;
}

interface Change {
  span: number;
  changes: number;
}

interface Unit {
  rows: Row[];
  facts: UnitFacts;
  /** Changes so far. */
  changes: Change[];
}

/** What all groups are read from. */
export class SignatureSources {
  readonly signatures: StoredSignatures;
  readonly #db: OpenDatabase;
  readonly #records: RecordReader;
  readonly #bytes: SpanBytes;
  readonly #rows;
  readonly #traceTimes;
  readonly #changes;
  readonly #clear;
  /** Texts and documents of the unit with encoded bytes. */
  readonly #encoded = new Set<number>();

  constructor(db: OpenDatabase) {
    this.#db = db;
    this.signatures = new StoredSignatures(db);
    this.#records = new RecordReader(db);
    this.#bytes = new SpanBytes(db, this.#records);
    this.#rows = db.prepare<[number, number], Row>(
      `SELECT span.id, span.start_us, ${spanPlaceColumns} FROM span WHERE id BETWEEN ? AND ? ORDER BY id`,
    );
    this.#traceTimes = db.prepare<[number, number], Record<'newest' | 'oldest', number | null>>(
      `SELECT max(listed_us) AS newest, min(min(listed_us, start_us)) AS oldest
       FROM trace WHERE id IN (SELECT trace FROM span WHERE id BETWEEN ? AND ?)`,
    );
    this.#changes = db.prepare<[number, number], Change>('SELECT span, changes FROM content_change WHERE span BETWEEN ? AND ?');
    this.#clear = db.prepare('DELETE FROM content_change WHERE span = ? AND changes = ?');
  }

  begin(unit: number): Unit {
    this.#bytes.begin();
    this.#encoded.clear();
    const range = [unit * unitSpans, (unit + 1) * unitSpans - 1] as const;
    const rows = this.#rows.all(...range);
    const times = this.#traceTimes.get(...range);
    const newest = rows.reduce((latest, { start_us }) => Math.max(latest, start_us), times?.newest ?? 0);
    const oldest = rows.reduce((earliest, { start_us }) => Math.min(earliest, start_us), times?.oldest ?? 0);
    return { rows, facts: { newest, oldest, traits: 0, encodedSpans: noSpans() }, changes: this.#changes.all(...range) };
  }

  /** Whether the span has encoded bytes. */
  scan(row: Row, scanner: WordScanner): boolean {
    let hasEncoded = false;
    const visit = (bytes: Buffer, isRecord: boolean, shared: number | null): undefined => {
      scanner.hasEncoded = false;
      scanner.scan(bytes, isRecord);
      if (!scanner.hasEncoded) return;
      hasEncoded = true;
      if (shared !== null) this.#encoded.add(shared);
    };
    this.#bytes.visit(row, visit, (shared) => {
      hasEncoded ||= this.#encoded.has(shared);
    });
    return hasEncoded;
  }

  /** Releases the blocks of the last spans. */
  end(): void {
    this.#records.forget();
  }

  store(first: number, facts: readonly UnitFacts[], words: ReturnType<WordTable['pack']>, level: 1 | 3, changes: readonly Change[]): void {
    this.#db
      .transaction(() => {
        this.signatures.put(first, facts, words, level);
        for (const change of changes) if (change.span >= first * unitSpans) this.#clear.run(change.span, change.changes);
      })
      .immediate();
  }
}

/** A step ends after this time, because a write may wait for it. */
const stepMs = 4;

export class GroupBuilder {
  /** Number of the group. */
  readonly group: number;
  readonly #sources: SignatureSources;
  readonly #table = new WordTable();
  readonly #scanner = new WordScanner(this.#table);
  readonly #facts: UnitFacts[] = [];
  /** Changes up to the time at which their spans were read. */
  readonly #changes: Change[] = [];
  /** Remaining rows of the current unit. */
  #rows: Row[] = [];
  #isUnreadable = false;
  #current: UnitFacts = { newest: 0, oldest: 0, traits: 0, encodedSpans: noSpans() };
  /** Units that are stored, counted from the start of the group. */
  #stored: number;

  constructor(group: number, sources: SignatureSources, stored: number) {
    this.group = group;
    this.#sources = sources;
    this.#stored = stored;
  }

  /** The unit to read next. */
  get next(): number {
    return this.group * groupUnits + this.#facts.length;
  }

  get isComplete(): boolean {
    return this.#facts.length === groupUnits;
  }

  /** Reads a part of the next unit. */
  step(): void {
    const began = performance.now();
    if (this.#rows.length === 0) this.#begin();
    // A unit of deleted spans has no rows.
    while (this.#rows.length > 0 && performance.now() - began < stepMs) this.#read(this.#rows.pop() as Row);
    if (this.#rows.length === 0) this.#finish();
  }

  #begin(): void {
    const { rows, facts, changes } = this.#sources.begin(this.next);
    this.#rows = rows.reverse();
    this.#current = facts;
    for (const change of changes) this.#changes.push(change);
    this.#table.selectUnit(this.#facts.length);
    this.#scanner.reset();
    this.#isUnreadable = false;
  }

  #read(row: Row): void {
    const { value: hasEncoded, why } = readOrWhy(() => this.#sources.scan(row, this.#scanner));
    if (why !== undefined) this.#isUnreadable = true;
    if (!hasEncoded) return;
    const [{ encodedSpans }, at] = [this.#current, row.id % unitSpans];
    encodedSpans[at >> 3] = (encodedSpans[at >> 3] as number) | (1 << (at & 7));
  }

  #finish(): void {
    this.#facts.push({ ...this.#current, traits: this.#isUnreadable ? unreadable : this.#scanner.traits });
    this.#sources.end();
    const units = this.#facts.length;
    if (this.isComplete) this.#store(0, units, 3);
    else if (units % blockUnits === 0 && units > this.#stored) this.#store(units - blockUnits, blockUnits, 1);
  }

  #store(from: number, units: number, level: 1 | 3): void {
    const facts = this.#facts.slice(from, from + units);
    this.#sources.store(this.group * groupUnits + from, facts, this.#table.pack(from, units), level, this.#changes);
    this.#stored = from + units;
  }
}
