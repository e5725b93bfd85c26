/** Resolves names to row ids. Unknown names give an id that no row has. */
import { readId } from '../../../ingest/otlp/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';

export const noRow = -1;

export class Lookup {
  readonly #scope;
  readonly #term;
  readonly #termValue;
  readonly #trace;

  constructor(db: OpenDatabase) {
    this.#scope = db.prepare<[string, string], number>('SELECT id FROM scope WHERE tenant_id = ? AND app_id = ?').pluck();
    this.#term = db.prepare<[number, string, string], number>('SELECT id FROM term WHERE scope = ? AND key = ? AND value = ?').pluck();
    this.#termValue = db.prepare<[number], string>('SELECT value FROM term WHERE id = ?').pluck();
    this.#trace = db.prepare<[number, unknown], number>('SELECT id FROM trace WHERE scope = ? AND trace_id = ? AND span_count > 0').pluck();
  }

  scope({ tenant_id, app_id }: Scope): number {
    return this.#scope.get(tenant_id, app_id) ?? noRow;
  }

  term(scope: number, key: string, value: string): number {
    return this.#term.get(scope, key, value) ?? noRow;
  }

  text(term: number | null): string {
    return term ? (this.#termValue.get(term) ?? '') : '';
  }

  /** Ids in URLs are read as in bodies: upper case, UUID and base64 spellings find the same trace. */
  trace(scope: number, traceId: string): number {
    const id = readId(traceId, 16);
    return id === null ? noRow : (this.#trace.get(scope, storeId(id)) ?? noRow);
  }
}
