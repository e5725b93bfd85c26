/** The stored form of signatures: the words of up to 64 consecutive units, compressed. */
import { deflateZstd, inflateZstd } from '../../../platform/zstd.ts';
import { stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { signatureFormat, unitSpans } from './units.ts';
import { WordGroup } from './word-group.ts';
import type { WordTable } from './word-table.ts';

/** What is known of a unit. No span of it starts, and no trace of its spans starts or is listed, outside the times, in microseconds. */
export interface UnitFacts {
  newest: number;
  oldest: number;
  /** See rewritten-text.ts. */
  traits: number;
  /** Its spans with encoded bytes: bit n of byte m is the span `8 * m + n`. */
  encodedSpans: Uint8Array;
}

/** The traits of a unit with spans that could not be read: its words are not known. */
export const unreadable = -1;

export interface SignatureRow {
  /** Number of the first unit. */
  first: number;
  units: number;
  newest: number;
}

const spanSetBytes = unitSpans / 8;

/** A set of spans of a unit without members. */
export const noSpans = (): Uint8Array => new Uint8Array(spanSetBytes);

export class StoredSignatures {
  readonly #list;
  readonly #facts;
  readonly #words;
  readonly #planes;
  readonly #insert;
  readonly #drop;

  constructor(db: OpenDatabase) {
    this.#list = db.prepare<[number], SignatureRow>('SELECT first, units, newest FROM signature WHERE format = ? ORDER BY first');
    this.#facts = db.prepare<[number], Buffer>('SELECT facts FROM signature WHERE first = ?').pluck();
    this.#words = db.prepare<[number], Buffer>('SELECT words FROM signature WHERE first = ?').pluck();
    this.#planes = db.prepare<[number], Buffer>('SELECT planes FROM signature WHERE first = ?').pluck();
    this.#drop = db.prepare('DELETE FROM signature WHERE first BETWEEN ? AND ?');
    this.#insert = db.prepare('INSERT INTO signature (first, units, format, newest, facts, words, planes) VALUES (?, ?, ?, ?, ?, ?, ?)');
  }

  /** Those of the current format. */
  list(): SignatureRow[] {
    return this.#list.all(signatureFormat);
  }

  facts({ first, units }: SignatureRow): UnitFacts[] {
    const bytes = stored(this.#facts.get(first), `Signature ${first}`);
    const numbers = new Float64Array(units * 3);
    const size = bytes.copy(new Uint8Array(numbers.buffer));
    return Array.from({ length: units }, (_, unit) => {
      const [newest = 0, oldest = 0, traits = 0] = numbers.subarray(unit * 3, unit * 3 + 3);
      const from = size + unit * spanSetBytes;
      return { newest, oldest, traits, encodedSpans: bytes.subarray(from, from + spanSetBytes) };
    });
  }

  open({ first, units }: SignatureRow): WordGroup {
    const inflate = (blob: Buffer | undefined) => unpacked(stored(blob, `Signature ${first}`));
    return new WordGroup(inflate(this.#words.get(first)), () => inflate(this.#planes.get(first)), units);
  }

  /** Replaces the signatures of these units. Call it within a transaction. */
  put(first: number, facts: readonly UnitFacts[], { words, planes }: ReturnType<WordTable['pack']>, level: 1 | 3): void {
    this.drop(first, first + facts.length - 1);
    const numbers = Float64Array.from(facts.flatMap(({ newest, oldest, traits }) => [newest, oldest, traits]));
    const newest = facts.reduce((latest, unit) => Math.max(latest, unit.newest), 0);
    const encoded = facts.map(({ encodedSpans }) => encodedSpans);
    const blobs = [Buffer.concat([new Uint8Array(numbers.buffer), ...encoded]), packed(words, level), packed(planes, level)];
    this.#insert.run(first, facts.length, signatureFormat, newest, ...blobs);
  }

  drop(first: number, last: number): void {
    this.#drop.run(first, last);
  }
}

/** The size, then the compressed bytes. */
function packed(bytes: Uint8Array, level: 1 | 3): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  return Buffer.concat([size, deflateZstd(bytes, level)]);
}

/** Above the size of any table of words. */
const sizeMax = 64 << 20;

const unpacked = (bytes: Buffer): Buffer => inflateZstd(bytes.subarray(4), Math.min(bytes.readUInt32LE(0), sizeMax));
