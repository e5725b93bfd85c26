/** A read thread as seen by the pool: runs one read at a time, which can be interrupted. */
import { startThread, stopThread, type Thread } from '../../../platform/thread.ts';
import type { Damage } from '../../damage.ts';
import type { Owner } from '../../read-queue.ts';
import type { ReadCall } from './read-calls.ts';
import type { CopiedTraces, ReadProtocol, ReadReply, ReadSource } from './read-thread.ts';
import type { SharedWithPool } from './reader.ts';
import type { ReadDone } from './remote-reads.ts';
import type { ReadLimits } from './time-limit.ts';

/** A read with its caller. */
export interface QueuedRead {
  owner: Owner;
  call: ReadCall & { copied?: CopiedTraces };
  /** Deadline, by `performance.now()`. */
  endsAt: number;
  resolve(reply: ReadDone): void;
  reject(error: Error): void;
}

export interface ReaderEvents {
  /** Called when the thread is ready for its first or next read. */
  onFree(reply: ReadReply, request: QueuedRead | null): void;
  /** Called for damage found during a read, which continues. */
  onDamage(found: Damage): void;
  onDead(error: Error, state: PooledReader['state']): void;
}

const idsMax = 2 ** 31 - 1;

export class PooledReader {
  /** No read waits for a `starting` reader while another one is free: a start takes as long as loading a page. */
  state: 'starting' | 'free' | QueuedRead = 'starting';
  /** When it was given its last read, by `performance.now()`. */
  usedAt = performance.now();
  readonly #thread: Thread<ReadProtocol>;
  readonly #interrupt = new Int32Array(new SharedArrayBuffer(4));
  #id = 0;

  /** @throws Error when the system cannot start another thread */
  constructor(
    entry: URL,
    source: ReadSource,
    { shared, budgetMs }: { shared: Omit<SharedWithPool, 'interrupt'>; budgetMs: number },
    events: ReaderEvents,
  ) {
    this.#thread = startThread<ReadProtocol>(entry, { ...source, budgetMs, shared: { ...shared, interrupt: this.#interrupt } });
    this.#thread.on('message', (reply) => {
      if (reply.kind === 'damaged') return events.onDamage(reply.found);
      const { state } = this;
      this.state = 'free';
      events.onFree(reply, typeof state === 'object' ? state : null);
    });
    this.#thread.on('error', (error) => events.onDead(error, this.state));
  }

  start(request: QueuedRead, leftMs: number): void {
    this.#id = (this.#id % idsMax) + 1;
    this.state = request;
    this.usedAt = performance.now();
    const limits: ReadLimits = { id: this.#id, leftMs };
    this.#thread.postMessage({ ...request.call, limits }, ownBuffersOf(request.call));
  }

  /** Interrupts the read at its next check of the time limit. */
  interrupt(): void {
    Atomics.store(this.#interrupt, 0, this.#id);
  }

  /**
   * Asks the thread to end itself: terminating it while it loads SQLite's driver would abort the process (a failing Node-API call is fatal
   * there).
   */
  stop(): Promise<void> {
    return stopThread(this.#thread, 'stop');
  }
}

/** Buffers to transfer: copying tens of megabytes would block the event loop. */
const ownBuffersOf = ({ args }: { args: readonly unknown[] }): ArrayBuffer[] =>
  args.flatMap((arg) => (arg instanceof Uint8Array && !Buffer.isBuffer(arg) ? [arg.buffer as ArrayBuffer] : []));
