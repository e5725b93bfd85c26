/**
 * Pool of reader threads, shared among tenants. The first starts with the first read, others when all are busy; they end when they are idle. Results
 * are JSON bytes, ready to be sent.
 */
import { noOverrides, type PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import { callerSignal } from '../../../platform/caller.ts';
import { type Log, silentLog } from '../../../platform/log.ts';
import type { Damage } from '../../damage.ts';
import { ReadTurns } from '../../read-turns.ts';
import { StorageError } from '../../storage-error.ts';
import { PooledReader, type QueuedRead } from './pooled-reader.ts';
import type { RemoteReads } from './read-calls.ts';
import type { CopiedTraces, ReadReply, ReadSource } from './read-thread.ts';
import { type ReadDone, remoteReads } from './remote-reads.ts';
import { abandoned } from './time-limit.ts';

/** How readers are shared among tenants. */
export interface ReadSharing {
  /** Maximum number of threads. Each takes some 40 MB, so another one is started only when all others are busy. */
  readers: number;
  /** Maximum number of readers that one tenant may use when there are several tenants. */
  perTenant: number;
  /** Maximum number of reads of one tenant that wait for a reader. */
  waitingMax: number;
  /** Longest duration of a read, including its wait for a reader. */
  budgetMs: number;
  /** A reader that had nothing to read for this time ends, except the last one. */
  idleMs: number;
  log: Log;
}

/** Receives notices of damage. */
export interface DamageListener {
  /** One number, not 0 once the store is known to be damaged. */
  isKnown: Int32Array;
  onDamage(found: Damage): void;
}

const noListener = (): DamageListener => ({ isKnown: new Int32Array(new SharedArrayBuffer(4)), onDamage: () => {} });

/** Limits for a store with one tenant: a tool may ask for hundreds of traces at once. */
export const oneTenant: ReadSharing = { readers: 2, perTenant: 2, waitingMax: 1_000, budgetMs: 10_000, idleMs: 20_000, log: silentLog };

/** Delay after a reader that could not start; doubled each time. */
const restartMs = { first: 100, most: 5_000 } as const;

export class ReaderPool {
  readonly reads: RemoteReads = remoteReads((call) => this.#call(call));
  readonly #start: () => PooledReader;
  readonly #sharing: ReadSharing;
  readonly #shared;
  readonly #readers: PooledReader[] = [];
  readonly #turns: ReadTurns<QueuedRead>;
  /** Number of consecutive readers that could not start, and the error of the last one. */
  #failures = 0;
  #failure: StorageError | null = null;
  #restart: NodeJS.Timeout | null = null;
  /** While there is more than one reader. */
  #idleCheck: NodeJS.Timeout | null = null;
  /** Readers that end because they were idle. */
  readonly #ending = new Set<Promise<void>>();
  #stopping = false;

  constructor(
    entry: URL,
    source: ReadSource,
    sharing: ReadSharing,
    { isKnown: damaged, onDamage }: DamageListener = noListener(),
    prices: PriceOverrides = noOverrides,
  ) {
    this.#sharing = sharing;
    this.#turns = new ReadTurns(sharing);
    this.#shared = { closing: new Int32Array(new SharedArrayBuffer(4)), damaged, prices };
    this.#start = () => {
      const reader: PooledReader = new PooledReader(
        entry,
        source,
        { budgetMs: sharing.budgetMs, shared: this.#shared },
        {
          onFree: (reply, request) => this.#onFree(reply, request),
          onDamage,
          onDead: (error, state) => this.#onDead(reader, error, state),
        },
      );
      return reader;
    };
  }

  /** Reads of copies of some traces. */
  readsOver(copied: CopiedTraces): RemoteReads {
    return remoteReads((call) => this.#call({ ...call, copied }));
  }

  /** Interrupts running reads; each thread closes its connection and ends. */
  async stop(): Promise<void> {
    this.#stopping = true;
    Atomics.store(this.#shared.closing, 0, 1);
    if (this.#restart) clearTimeout(this.#restart);
    if (this.#idleCheck) clearInterval(this.#idleCheck);
    for (const { reject } of this.#turns.removeAll()) reject(closing());
    await Promise.all([...this.#readers.map((reader) => reader.stop()), ...this.#ending]);
  }

  /** Queues a read for its tenant, or for the gateway itself when no caller waits for the result. */
  async #call(call: QueuedRead['call']): Promise<ReadDone> {
    if (this.#stopping) throw closing();
    const signal = callerSignal();
    if (signal?.aborted) throw abandoned();
    const owner = signal ? call.args[0].tenant_id : null;
    const { budgetMs } = this.#sharing;
    const { promise, resolve, reject } = Promise.withResolvers<ReadDone>();
    const request: QueuedRead = { owner, call, endsAt: performance.now() + budgetMs, resolve, reject };
    this.#turns.add(request);
    const abandon = () => this.#abandon(request);
    signal?.addEventListener('abort', abandon);
    this.#assignReads();
    let timer = setTimeout(() => expire(), budgetMs);
    const expire = () => {
      if (!this.#isFirstStarting) return this.#timeOut(request);
      // The time of a read is not that of the first thread's start, which may be long on a busy machine.
      request.endsAt = performance.now() + budgetMs;
      timer = setTimeout(expire, budgetMs);
    };
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
    }
  }

  get #isFirstStarting(): boolean {
    return this.#readers.length > 0 && this.#readers.every(({ state }) => state === 'starting');
  }

  get #running(): QueuedRead[] {
    return this.#readers.map(({ state }) => state).filter((state) => typeof state === 'object');
  }

  /** Fails a read whose time ran out while it waited. A running read checks its own limit. */
  #timeOut(request: QueuedRead): void {
    if (!this.#turns.remove(request)) return;
    const { budgetMs } = this.#sharing;
    request.reject(this.#failure ?? new StorageError('crowded', `Other reads took all of the ${budgetMs / 1000} s of this one`));
  }

  #abandon(request: QueuedRead): void {
    if (!this.#turns.remove(request)) this.#readers.find(({ state }) => state === request)?.interrupt();
    request.reject(abandoned());
  }

  /** Assigns one read to each free reader, and starts another reader when all are busy. */
  #assignReads(): void {
    if (this.#stopping) return;
    for (const reader of this.#readers) {
      if (reader.state !== 'free') continue;
      const request = this.#turns.take(this.#running);
      if (!request) return;
      // Reads of the gateway itself may wait for readers of tenants, and then have their whole time nevertheless.
      reader.start(request, request.owner === null ? this.#sharing.budgetMs : request.endsAt - performance.now());
    }
    const isNeeded = this.#turns.has(this.#running) && this.#readers.length < this.#sharing.readers;
    const isStarting = this.#restart !== null || this.#readers.some(({ state }) => state === 'starting');
    if (isNeeded && !isStarting) this.#startAnother();
  }

  #startAnother(): void {
    try {
      this.#readers.push(this.#start());
      if (this.#readers.length > 1) this.#idleCheck ??= setInterval(() => this.#endIdle(), this.#sharing.idleMs / 4).unref();
    } catch (error) {
      this.#startLater(error as Error);
    }
  }

  #endIdle(): void {
    const since = performance.now() - this.#sharing.idleMs;
    for (const reader of this.#readers.slice(1)) {
      if (reader.state !== 'free' || reader.usedAt > since) continue;
      this.#readers.splice(this.#readers.indexOf(reader), 1);
      const ended = reader.stop().finally(() => this.#ending.delete(ended));
      this.#ending.add(ended);
    }
    if (this.#readers.length > 1 || this.#idleCheck === null) return;
    clearInterval(this.#idleCheck);
    this.#idleCheck = null;
  }

  #onFree(reply: ReadReply, request: QueuedRead | null): void {
    if (reply.kind === 'ready') {
      if (this.#failures > 0) this.#sharing.log.info('reader_started', { failed_before: this.#failures });
      this.#failures = 0;
      this.#failure = null;
    }
    this.#assignReads();
    if (!request || reply.kind === 'ready') return;
    if (reply.kind === 'read') request.resolve(reply);
    else request.reject(reply.errorKind ? new StorageError(reply.errorKind, reply.message) : new Error(reply.message));
  }

  /** Fails the read of a dead reader. Pending reads wait for another one. */
  #onDead(reader: PooledReader, error: Error, state: PooledReader['state']): void {
    const at = this.#readers.indexOf(reader);
    // One that was idle and is ending is in the list no more.
    if (at === -1) return;
    this.#readers.splice(at, 1);
    if (state === 'starting') {
      this.#startLater(error);
      return;
    }
    if (typeof state === 'object') state.reject(failed(error));
    this.#sharing.log.error('reader_failed', { reason: error.message });
    this.#assignReads();
  }

  /** Starts a reader again after a delay: descriptors or memory may be short only for now. Pending reads wait until their limits. */
  #startLater(error: Error): void {
    if (this.#stopping) return;
    this.#failure = failed(error);
    const ms = Math.min(restartMs.most, restartMs.first * 2 ** this.#failures++);
    this.#sharing.log.error('reader_not_started', { reason: error.message, again_in_ms: ms });
    this.#restart = setTimeout(() => {
      this.#restart = null;
      this.#assignReads();
    }, ms);
  }
}

const failed = (error: Error) => new StorageError('io', `A reader failed: ${error.message}`);
const closing = () => new StorageError('stopping', 'The store is being closed');
