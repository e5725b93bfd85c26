/** Pool of reader threads, shared among tenants. Results are JSON bytes, ready to be sent. */
import { callerSignal } from '../../../platform/caller.ts';
import { type Log, silentLog } from '../../../platform/log.ts';
import type { Damage } from '../../damage.ts';
import { StorageError } from '../../storage-error.ts';
import { newCursorKey } from './opaque-cursor.ts';
import { type Asked, PooledReader } from './pooled-reader.ts';
import type { ReadCall, RemoteReads } from './read-calls.ts';
import { type Owner, ReadQueue } from './read-queue.ts';
import type { ReadReply } from './read-thread.ts';
import { type ReadDone, remoteReads } from './remote-reads.ts';
import { abandoned } from './time-limit.ts';

/** How reads are shared out. */
export interface ReadSharing {
  /** Upper bound. A thread is started when all others are busy, because each costs some 40 MB. */
  readers: number;
  /** Readers that one tenant may use when there are several tenants. */
  perTenant: number;
  /** How many reads of one tenant may wait for a reader. */
  waitingMax: number;
  /** How long a read may take, its wait for a reader included. */
  budgetMs: number;
  log: Log;
}

/** Receives notices of damage, and knows whether there is any. */
export interface HeardDamage {
  isKnown: Int32Array;
  met(found: Damage): void;
}

const nobodyHears = (): HeardDamage => ({ isKnown: new Int32Array(new SharedArrayBuffer(4)), met: () => {} });

/** Limits for a store with one tenant: a tool may ask for hundreds of traces at once. */
export const oneTenant: ReadSharing = { readers: 2, perTenant: 2, waitingMax: 1_000, budgetMs: 10_000, log: silentLog };

/** How long nothing is started after a reader that could not start: doubled each time. */
const restartMs = { first: 100, most: 5_000 } as const;

export class ReaderPool {
  readonly reads: RemoteReads = remoteReads((call) => this.#call(call));
  readonly #start: () => PooledReader;
  readonly #sharing: ReadSharing;
  readonly #shared;
  readonly #readers: PooledReader[] = [];
  readonly #queue = new ReadQueue<Asked>();
  /** First tenant that asked, and whether there was another one. */
  #firstTenant: Owner = null;
  #areMany = false;
  /** Readers in a row that could not start, and why the last of them could not. */
  #failures = 0;
  #failure: StorageError | null = null;
  #restart: NodeJS.Timeout | null = null;
  #stopping = false;

  /** @param damage receives notices of unreadable items and tells whether the store is known to be damaged */
  constructor(entry: URL, file: string, sharing: ReadSharing, { isKnown: damaged, met }: HeardDamage = nobodyHears()) {
    this.#sharing = sharing;
    this.#shared = { cursorKey: newCursorKey(), closing: new Int32Array(new SharedArrayBuffer(4)), damaged };
    this.#start = () => {
      const reader: PooledReader = new PooledReader(
        entry,
        { file, budgetMs: sharing.budgetMs, shared: this.#shared },
        {
          onFree: (reply, asked) => this.#freed(reply, asked),
          onDamaged: met,
          onDead: (error, state) => this.#bury(reader, error, state),
        },
      );
      return reader;
    };
    this.#handOut();
  }

  /** Interrupts running reads; each thread closes its connection and ends. */
  async stop(): Promise<void> {
    this.#stopping = true;
    Atomics.store(this.#shared.closing, 0, 1);
    if (this.#restart) clearTimeout(this.#restart);
    for (const { reject } of this.#queue.removeAll()) reject(closing());
    await Promise.all(this.#readers.map((reader) => reader.stop()));
  }

  /** Waits in the queue of its tenant, which is the gateway's own when no caller waits for the answer. */
  async #call(call: ReadCall): Promise<ReadDone> {
    if (this.#stopping) throw closing();
    const signal = callerSignal();
    if (signal?.aborted) throw abandoned();
    const owner = signal ? call.args[0].tenant_id : null;
    this.#noteTenant(owner);
    const { waitingMax, budgetMs } = this.#sharing;
    if (owner !== null && this.#queue.waiting(owner) >= waitingMax) {
      throw new StorageError('crowded', `${waitingMax} reads of yours wait already`);
    }
    const { promise, resolve, reject } = Promise.withResolvers<ReadDone>();
    const asked: Asked = { owner, call, endsAt: performance.now() + budgetMs, resolve, reject };
    const abandon = () => this.#abandon(asked);
    signal?.addEventListener('abort', abandon);
    this.#queue.add(asked);
    this.#handOut();
    const timer = setTimeout(() => this.#giveUp(asked), budgetMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
    }
  }

  #noteTenant(owner: Owner): void {
    this.#firstTenant ??= owner;
    if (owner !== null && owner !== this.#firstTenant) this.#areMany = true;
  }

  /** Fails a read whose time is over and interrupts it. */
  #giveUp(asked: Asked): void {
    if (!this.#queue.remove(asked)) return;
    const { budgetMs } = this.#sharing;
    asked.reject(this.#failure ?? new StorageError('crowded', `Other reads took all of the ${budgetMs / 1000} s that this one had`));
  }

  #abandon(asked: Asked): void {
    if (!this.#queue.remove(asked)) this.#readers.find(({ state }) => state === asked)?.interrupt();
    asked.reject(abandoned());
  }

  /** Assigns one read to each free reader, and starts another reader when all are busy. */
  #handOut(): void {
    if (this.#stopping) return;
    const may = (owner: Owner) => this.#may(owner);
    for (const reader of this.#readers) {
      if (reader.state !== 'free') continue;
      const asked = this.#queue.take(may);
      if (!asked) return;
      // The gateway waits for the readers that tenants hold, and has all of its time nevertheless.
      reader.begin(asked, asked.owner === null ? this.#sharing.budgetMs : asked.endsAt - performance.now());
    }
    const isWanted = this.#readers.length === 0 || (this.#queue.has(may) && this.#readers.length < this.#sharing.readers);
    const isStarting = this.#restart !== null || this.#readers.some(({ state }) => state === 'starting');
    if (isWanted && !isStarting) this.#startAnother();
  }

  #may(owner: Owner): boolean {
    if (owner === null || !this.#areMany) return true;
    const held = this.#readers.filter(({ state }) => typeof state === 'object' && state.owner === owner).length;
    return held < this.#sharing.perTenant;
  }

  #startAnother(): void {
    try {
      this.#readers.push(this.#start());
    } catch (error) {
      this.#startLater(error as Error);
    }
  }

  #freed(reply: ReadReply, asked: Asked | null): void {
    if (reply.kind === 'ready') {
      if (this.#failures > 0) this.#sharing.log.info('reader_started', { failed_before: this.#failures });
      this.#failures = 0;
      this.#failure = null;
    }
    this.#handOut();
    if (!asked || reply.kind === 'ready') return;
    if (reply.kind === 'read') asked.resolve(reply);
    else asked.reject(reply.errorKind ? new StorageError(reply.errorKind, reply.message) : new Error(reply.message));
  }

  /** Fails the read of a dead reader. Pending reads wait for another one. */
  #bury(reader: PooledReader, error: Error, state: PooledReader['state']): void {
    this.#readers.splice(this.#readers.indexOf(reader), 1);
    if (state === 'starting') {
      this.#startLater(error);
      return;
    }
    if (typeof state === 'object') state.reject(failed(error));
    this.#sharing.log.error('reader_failed', { reason: error.message });
    this.#handOut();
  }

  /** Starts a reader again after a delay: descriptors or memory may be short only for now. Pending reads wait until their limits. */
  #startLater(error: Error): void {
    if (this.#stopping) return;
    this.#failure = failed(error);
    const ms = Math.min(restartMs.most, restartMs.first * 2 ** this.#failures++);
    this.#sharing.log.error('reader_not_started', { reason: error.message, again_in_ms: ms });
    this.#restart = setTimeout(() => {
      this.#restart = null;
      this.#handOut();
    }, ms);
  }
}

const failed = (error: Error) => new StorageError('io', `A reader failed: ${error.message}`);
const closing = () => new StorageError('stopping', 'The store is being closed');
