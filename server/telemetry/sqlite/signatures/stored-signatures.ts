/** The stored form of signatures: the words of up to 64 consecutive units, compressed. */
import { deflateZstd, inflateZstd } from '../../../platform/zstd.ts';
import { stored } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { signatureFormat } from './units.ts';
import { WordGroup } from './word-group.ts';
import type { WordTable } from './word-table.ts';

/** What is known of a unit. No span of it starts, and no trace of its spans starts or is listed, outside the times, in microseconds. */
export interface UnitFacts {
  newest: number;
  oldest: number;
  /** See rewritten-text.ts. */
  traits: number;
}

/** The traits of a unit with spans that could not be read: its words are not known. */
export const unreadable = -1;

export interface SignatureRow {
  /** Number of the first unit. */
  first: number;
  units: number;
  newest: number;
}

export class StoredSignatures {
  readonly #list;
  readonly #facts;
  readonly #words;
  readonly #insert;
  readonly #drop;

  constructor(db: OpenDatabase) {
    this.#list = db.prepare<[number], SignatureRow>('SELECT first, units, newest FROM signature WHERE format = ? ORDER BY first');
    this.#facts = db.prepare<[number], Buffer>('SELECT facts FROM signature WHERE first = ?').pluck();
    this.#words = db.prepare<[number], { words: Buffer; planes: Buffer }>('SELECT words, planes FROM signature WHERE first = ?');
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
    bytes.copy(new Uint8Array(numbers.buffer));
    return Array.from({ length: units }, (_, unit) => {
      const [newest = 0, oldest = 0, traits = 0] = numbers.subarray(unit * 3, unit * 3 + 3);
      return { newest, oldest, traits };
    });
  }

  open({ first, units }: SignatureRow): WordGroup {
    const { words, planes } = stored(this.#words.get(first), `Signature ${first}`);
    return new WordGroup(unpacked(words), unpacked(planes), units);
  }

  /** Replaces the signatures of these units. Call it within a transaction. */
  put(first: number, facts: readonly UnitFacts[], { words, planes }: ReturnType<WordTable['pack']>, level: 1 | 3): void {
    this.drop(first, first + facts.length - 1);
    const numbers = Float64Array.from(facts.flatMap(({ newest, oldest, traits }) => [newest, oldest, traits]));
    const newest = facts.reduce((latest, unit) => Math.max(latest, unit.newest), 0);
    const blobs = [new Uint8Array(numbers.buffer), packed(words, level), packed(planes, level)];
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
