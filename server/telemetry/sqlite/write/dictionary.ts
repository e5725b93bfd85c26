/** Numbers for repeated texts. Rows have the number; the text is in `term` or `document` once. */
import { hash } from 'node:crypto';
import type { OpenDatabase } from '../file/open.ts';
import { Recent } from '../read/recent.ts';

/** The terms of one app: by key, then by value, so that a look-up builds no new text. */
type Terms = Map<string, Recent<string, number>>;

const termsPerKeyMax = 8_000;
const documentsMax = 8_000;
/** Cached apps; beyond this the cache is cleared. */
const scopesMax = 200;

export class Dictionary {
  readonly #terms = new Map<number, Terms>();
  readonly #documents = new Map<number, Recent<string, number>>();
  readonly #findTerm;
  readonly #addTerm;
  readonly #findDocument;
  readonly #addDocument;

  constructor(db: OpenDatabase) {
    this.#findTerm = db.prepare<[number, string, string], number>('SELECT id FROM term WHERE scope = ? AND key = ? AND value = ?').pluck();
    this.#addTerm = db.prepare('INSERT INTO term (scope, key, value) VALUES (?, ?, ?)');
    this.#findDocument = db.prepare<[number, Buffer], number>('SELECT id FROM document WHERE scope = ? AND hash = ?').pluck();
    this.#addDocument = db.prepare('INSERT INTO document (scope, hash, json) VALUES (?, ?, ?)');
  }

  /** The number of a term; 0 for the empty text, which is nowhere stored. */
  term(scope: number, key: string, value: string): number {
    if (value === '') return 0;
    const known = this.#termsOf(scope, key);
    const found = known.get(value);
    if (found !== undefined) return found;
    const id = this.#findTerm.get(scope, key, value) ?? Number(this.#addTerm.run(scope, key, value).lastInsertRowid);
    known.set(value, id);
    return id;
  }

  /** The number of a JSON document; 0 for the empty text. */
  document(scope: number, json: string): number {
    if (json === '') return 0;
    const known = remembered(this.#documents, scope, () => new Recent<string, number>(documentsMax));
    const found = known.get(json);
    if (found !== undefined) return found;
    const digest = hash('sha256', json, 'buffer').subarray(0, 16);
    const id = this.#findDocument.get(scope, digest) ?? Number(this.#addDocument.run(scope, digest, json).lastInsertRowid);
    known.set(json, id);
    return id;
  }

  /** After a rollback nothing remembered may be trusted. */
  forget(): void {
    this.#terms.clear();
    this.#documents.clear();
  }

  #termsOf(scope: number, key: string): Recent<string, number> {
    const terms = remembered(this.#terms, scope, (): Terms => new Map());
    let known = terms.get(key);
    if (!known) {
      known = new Recent(termsPerKeyMax);
      terms.set(key, known);
    }
    return known;
  }
}

function remembered<V>(map: Map<number, V>, scope: number, make: () => V): V {
  const known = map.get(scope);
  if (known) return known;
  if (map.size >= scopesMax) map.clear();
  const made = make();
  map.set(scope, made);
  return made;
}
