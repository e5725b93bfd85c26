/** Numbers for texts that repeat. Rows hold the number; the text stands once in `term` or `document`. */
import { hash } from 'node:crypto';
import type { OpenDatabase } from '../open.ts';
import { Recent } from '../recent.ts';

export class Dictionary {
  readonly #terms = new Recent<string, number>(40_000);
  readonly #documents = new Recent<string, number>(8_000);
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
    const name = `${scope}\0${key}\0${value}`;
    const known = this.#terms.get(name);
    if (known !== undefined) return known;
    const id = this.#findTerm.get(scope, key, value) ?? Number(this.#addTerm.run(scope, key, value).lastInsertRowid);
    this.#terms.set(name, id);
    return id;
  }

  /** The number of a JSON document; 0 for the empty text. */
  document(scope: number, json: string): number {
    if (json === '') return 0;
    const name = `${scope}\0${json}`;
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const digest = hash('sha256', json, 'buffer').subarray(0, 16);
    const id = this.#findDocument.get(scope, digest) ?? Number(this.#addDocument.run(scope, digest, json).lastInsertRowid);
    this.#documents.set(name, id);
    return id;
  }

  /** After a rollback nothing remembered may be trusted. */
  forget(): void {
    this.#terms.clear();
    this.#documents.clear();
  }
}
