/** Ids for repeated texts. Rows have the id; the text is stored once, in `term` or `document`. */
import { hash } from 'node:crypto';
import type { OpenDatabase } from '../file/open.ts';
import { RecentCache } from '../read/recent-cache.ts';

/** The terms of one app by key, then by value, so that a look-up builds no new string. */
type Terms = Map<string, RecentCache<string, number>>;

const termsPerKeyMax = 8_000;
const documentsMax = 8_000;
/** Cached apps; beyond this the cache is cleared. */
const scopesMax = 200;

export class Dictionary {
  readonly #terms = new Map<number, Terms>();
  readonly #documents = new Map<number, RecentCache<string, number>>();
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

  /** Id of a term; 0 for the empty text, which is not stored. */
  term(scope: number, key: string, value: string): number {
    if (value === '') return 0;
    const cache = this.#termsOf(scope, key);
    const cachedId = cache.get(value);
    if (cachedId !== undefined) return cachedId;
    const id = this.#findTerm.get(scope, key, value) ?? Number(this.#addTerm.run(scope, key, value).lastInsertRowid);
    cache.set(value, id);
    return id;
  }

  /** Id of a JSON document; 0 for the empty text. */
  document(scope: number, json: string): number {
    if (json === '') return 0;
    const cache = getOrCreate(this.#documents, scope, () => new RecentCache<string, number>(documentsMax));
    const cachedId = cache.get(json);
    if (cachedId !== undefined) return cachedId;
    const digest = hash('sha256', json, 'buffer').subarray(0, 16);
    const id = this.#findDocument.get(scope, digest) ?? Number(this.#addDocument.run(scope, digest, json).lastInsertRowid);
    cache.set(json, id);
    return id;
  }

  /** Call after a rollback: cached ids may no longer exist. */
  forget(): void {
    this.#terms.clear();
    this.#documents.clear();
  }

  #termsOf(scope: number, key: string): RecentCache<string, number> {
    const terms = getOrCreate(this.#terms, scope, (): Terms => new Map());
    let cache = terms.get(key);
    if (!cache) {
      cache = new RecentCache(termsPerKeyMax);
      terms.set(key, cache);
    }
    return cache;
  }
}

function getOrCreate<V>(map: Map<number, V>, scope: number, create: () => V): V {
  const existing = map.get(scope);
  if (existing) return existing;
  if (map.size >= scopesMax) map.clear();
  const created = create();
  map.set(scope, created);
  return created;
}
