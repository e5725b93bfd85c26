/** Shares connections to the database among the queries of tenants, as the readers of the SQLite store are shared among reads. */
import { callerSignal } from '../../../platform/caller.ts';
import type { Owner } from '../../read-queue.ts';
import { ReadTurns, type TurnLimits } from '../../read-turns.ts';
import { abandoned } from '../../sqlite/read/time-limit.ts';
import { StorageError } from '../../storage-error.ts';

export interface QuerySharing extends TurnLimits {
  /** Maximum number of queries that run at the same time. */
  connections: number;
  /** Longest duration of a query, including its wait for a connection. */
  budgetMs: number;
}

/** For a process without callers. */
export const unshared: QuerySharing = {
  connections: Number.POSITIVE_INFINITY,
  perTenant: Number.POSITIVE_INFINITY,
  waitingMax: Number.POSITIVE_INFINITY,
  budgetMs: 2 ** 31 - 1,
};

export interface QueryTurn {
  /** Aborts when the caller leaves, and when the pool stops. */
  signal: AbortSignal;
  /** Null for the gateway's own queries: they have their whole time, and wait as long as they must. */
  leftMs: number | null;
}

interface Query {
  owner: Owner;
  cancel: AbortController;
  start(): void;
  reject(error: StorageError): void;
}

export class QueryPool {
  readonly #sharing: QuerySharing;
  readonly #turns: ReadTurns<Query>;
  readonly #running = new Set<Query>();
  #isStopping = false;

  constructor(sharing: QuerySharing = unshared) {
    this.#sharing = sharing;
    this.#turns = new ReadTurns(sharing);
  }

  /**
   * Runs a query when it is its turn.
   * @param tenant whose query it is; when no caller waits for the result it is the gateway's own
   * @throws StorageError `crowded`, `abandoned` or `stopping`, beside what the query throws
   */
  async run<T>(tenant: Owner, query: (turn: QueryTurn) => Promise<T>): Promise<T> {
    if (this.#isStopping) throw closing();
    const signal = callerSignal();
    if (signal?.aborted) throw abandoned();
    const began = performance.now();
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
    const request: Query = { owner: signal ? tenant : null, cancel: new AbortController(), start, reject };
    this.#turns.add(request);
    const leave = () => {
      request.cancel.abort();
      if (this.#turns.remove(request)) reject(abandoned());
    };
    signal?.addEventListener('abort', leave);
    try {
      await this.#turnOf(request, started);
      const leftMs = request.owner === null ? null : Math.max(1, this.#sharing.budgetMs - (performance.now() - began));
      return await query({ signal: request.cancel.signal, leftMs });
    } catch (error) {
      if (this.#isStopping) throw closing();
      throw request.cancel.signal.aborted ? abandoned() : error;
    } finally {
      signal?.removeEventListener('abort', leave);
      this.#running.delete(request);
      this.#startNext();
    }
  }

  /** Cancels all queries. */
  stop(): void {
    this.#isStopping = true;
    for (const { reject } of this.#turns.removeAll()) reject(closing());
    for (const { cancel } of this.#running) cancel.abort();
  }

  async #turnOf(request: Query, started: Promise<void>): Promise<void> {
    const timer = request.owner === null ? undefined : setTimeout(() => this.#timeOut(request), this.#sharing.budgetMs);
    this.#startNext();
    try {
      await started;
    } finally {
      clearTimeout(timer);
    }
  }

  #timeOut(request: Query): void {
    const { budgetMs } = this.#sharing;
    if (this.#turns.remove(request))
      request.reject(new StorageError('crowded', `Other reads took all of the ${budgetMs / 1000} s of this one`));
  }

  #startNext(): void {
    while (this.#running.size < this.#sharing.connections) {
      const next = this.#turns.take([...this.#running]);
      if (!next) return;
      this.#running.add(next);
      next.start();
    }
  }
}

const closing = () => new StorageError('stopping', 'The store is being closed');
