/** The latest ingest requests, including refused ones, so that no refusal goes unnoticed. Kept in memory, per app. */
import type { IngestLogEntry } from '../../shared/contract/viewer/viewer.ts';
import { type Scope, scopeKey } from '../platform/scope.ts';

const entriesMax = 500;

/** Whether the request or some of its spans were refused. */
export const isRefused = ({ status, spans_rejected }: IngestLogEntry): boolean => status >= 400 || spans_rejected > 0;

type Listener = (scope: Scope, entry: IngestLogEntry) => void;

export class IngestLog {
  readonly #entries = new Map<string, IngestLogEntry[]>();
  readonly #listeners = new Set<Listener>();

  add(scope: Scope, entry: IngestLogEntry): void {
    const key = scopeKey(scope);
    const entries = this.#entries.get(key) ?? [];
    entries.push(entry);
    if (entries.length > entriesMax) entries.shift();
    this.#entries.set(key, entries);
    for (const listener of this.#listeners) listener(scope, entry);
  }

  /** Calls back after each entry, until the returned function is called. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Whether no entry has accepted spans or a hint. */
  isUnused(scope: Scope): boolean {
    return !(this.#entries.get(scopeKey(scope)) ?? []).some(({ spans_accepted, hint }) => spans_accepted > 0 || hint !== '');
  }

  /** Newest first. `search` matches ids, paths, codes, messages, hints, senders, batches and families. */
  latest(scope: Scope, limit: number, search: string): IngestLogEntry[] {
    const part = search.toLowerCase();
    const entries = this.#entries.get(scopeKey(scope)) ?? [];
    const matching = entries.filter(({ id, path, code, message, hint, user_agent, batch, families }) =>
      `${id} ${path} ${code ?? ''} ${message} ${hint} ${user_agent} ${batch ?? ''} ${Object.keys(families).join(' ')}`
        .toLowerCase()
        .includes(part),
    );
    return matching.reverse().slice(0, limit);
  }
}
