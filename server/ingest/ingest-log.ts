/** The latest requests that reached an ingest route, refused ones too: nothing vanishes silently. Kept in memory, per app. */
import type { IngestLogEntry } from '../../shared/contract/viewer.ts';
import type { Scope } from '../platform/scope.ts';

const entriesMax = 500;

export class IngestLog {
  readonly #entries = new Map<string, IngestLogEntry[]>();

  add({ tenant_id, app_id }: Scope, entry: IngestLogEntry): void {
    const key = `${tenant_id}\0${app_id}`;
    const entries = this.#entries.get(key) ?? [];
    entries.push(entry);
    if (entries.length > entriesMax) entries.shift();
    this.#entries.set(key, entries);
  }

  /** Newest first. `search` looks into paths, codes, messages and senders. */
  latest({ tenant_id, app_id }: Scope, limit: number, search: string): IngestLogEntry[] {
    const part = search.toLowerCase();
    const entries = this.#entries.get(`${tenant_id}\0${app_id}`) ?? [];
    const matching = entries.filter(({ path, code, message, user_agent }) =>
      `${path} ${code ?? ''} ${message} ${user_agent}`.toLowerCase().includes(part),
    );
    return matching.reverse().slice(0, limit);
  }
}
