/** The latest ingest requests, including refused ones, so that no refusal goes unnoticed. */
import type { IngestLogEntry, LiveRequests } from '../../shared/contract/viewer/viewer.ts';
import { type Scope, scopeKey } from '../platform/scope.ts';

/** For each app. */
export const entriesMax = 500;

/** Number of requests since the last call. */
export type RequestListener = (scope: Scope, requests: LiveRequests) => void;

export interface IngestLog {
  add(scope: Scope, entry: IngestLogEntry): void;
  /** Calls back after new entries, until the returned function is called. */
  follow(listener: RequestListener): () => void;
  /** Whether no entry of this gateway has accepted spans or a hint. */
  isUnused(scope: Scope): boolean;
  /**
   * Newest first.
   * @param search part of an id, path, code, message, hint, sender, batch or family
   */
  latest(scope: Scope, limit: number, search: string): Promise<IngestLogEntry[]>;
}

/** Whether the request or some of its spans were refused. */
const isRefused = ({ status, spans_rejected }: IngestLogEntry): boolean => status >= 400 || spans_rejected > 0;

export const requestsOf = (entries: readonly IngestLogEntry[]): LiveRequests => ({
  request_count: entries.length,
  refused_count: entries.filter(isRefused).length,
});

/** @param newestLast entries of one app */
export function matching(newestLast: readonly IngestLogEntry[], limit: number, search: string): IngestLogEntry[] {
  const part = search.toLowerCase();
  const found = newestLast.filter(({ id, path, code, message, hint, user_agent, batch, families }) =>
    `${id} ${path} ${code ?? ''} ${message} ${hint} ${user_agent} ${batch ?? ''} ${Object.keys(families).join(' ')}`
      .toLowerCase()
      .includes(part),
  );
  return found.reverse().slice(0, limit);
}

/** Of a single gateway, in memory. */
export class MemoryIngestLog implements IngestLog {
  readonly #entries = new Map<string, IngestLogEntry[]>();
  readonly #listeners = new Set<RequestListener>();

  add(scope: Scope, entry: IngestLogEntry): void {
    const key = scopeKey(scope);
    const entries = this.#entries.get(key) ?? [];
    entries.push(entry);
    if (entries.length > entriesMax) entries.shift();
    this.#entries.set(key, entries);
    this.tell(scope, requestsOf([entry]));
  }

  follow(listener: RequestListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(scope: Scope, requests: LiveRequests): void {
    for (const listener of this.#listeners) listener(scope, requests);
  }

  isUnused(scope: Scope): boolean {
    return !this.of(scope).some(({ spans_accepted, hint }) => spans_accepted > 0 || hint !== '');
  }

  /** Newest last. */
  of(scope: Scope): readonly IngestLogEntry[] {
    return this.#entries.get(scopeKey(scope)) ?? [];
  }

  async latest(scope: Scope, limit: number, search: string): Promise<IngestLogEntry[]> {
    return matching(this.of(scope), limit, search);
  }
}
