/**
 * Which metadata the documents of a segment hold: for each document the terms of its values, so that a filter reads no document. Values that are
 * no terms are marked by the term of their key, as in the index of traces (write/trace-terms.ts).
 */
import { termKey } from '../file/codes.ts';
import { isObject, stored, storedJson } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';

/** Terms of one document, after its id and their number. */
export type DocumentTerms = Map<number, readonly number[]>;

const knownMax = 2000;

export class MetadataTerms {
  readonly #document;
  readonly #term;
  readonly #known = new Map<string, number>();

  constructor(db: OpenDatabase) {
    this.#document = db.prepare<[number], { scope: number; json: string }>('SELECT scope, json FROM document WHERE id = ?');
    this.#term = db.prepare<[number, string, string], number>('SELECT id FROM term WHERE scope = ? AND key = ? AND value = ?').pluck();
  }

  /** @throws StorageError `corrupt` when the document is missing or damaged */
  of(document: number): number[] {
    const row = stored(this.#document.get(document), `Document ${document}`);
    const metadata = storedJson<Record<string, string>>(row.json, 'Metadata', isObject);
    return Object.entries(metadata).map(([key, value]) =>
      stored(
        this.#find(row.scope, termKey.metadata(key), value) ?? this.#find(row.scope, termKey.unindexedMetadata, key),
        `The term of a value in document ${document}`,
      ),
    );
  }

  #find(scope: number, key: string, value: string): number | undefined {
    const name = JSON.stringify([scope, key, value]);
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const id = this.#term.get(scope, key, value);
    if (this.#known.size >= knownMax) this.#known.clear();
    if (id !== undefined) this.#known.set(name, id);
    return id;
  }

  /** Call when terms may have been deleted. */
  forget(): void {
    this.#known.clear();
  }
}

export function encodeTerms(terms: DocumentTerms): Uint8Array {
  const numbers: number[] = [];
  for (const [document, ids] of terms) numbers.push(document, ids.length, ...ids);
  return new Uint8Array(Float64Array.from(numbers).buffer);
}

/** Calls `visit` with each document and its terms. */
export function eachDocument(numbers: Float64Array, visit: (document: number, terms: Float64Array) => void): void {
  for (let at = 0; at < numbers.length; ) {
    const count = numbers[at + 1] as number;
    visit(numbers[at] as number, numbers.subarray(at + 2, at + 2 + count));
    at += 2 + count;
  }
}
