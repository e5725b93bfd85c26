/**
 * Queue in front of one thread, which handles one request at a time. The thread starts with the first request, ends when it is idle for a
 * while, and restarts after it dies. Callers take turns by name, so that a busy caller delays only itself.
 */
import type { Transferable, Worker } from 'node:worker_threads';
import { startThread, type Thread, type ThreadProtocol, type ThreadWork } from './thread.ts';

/** Idle time after which the thread ends to free its memory. */
const idleMs = 60_000;

/** Interval of the limit checks. */
const checkIntervalMs = 50;

/** The thread died while it handled the request. */
export class ThreadDied extends Error {}

/** The request exceeded its limit of time or memory. */
export class ThreadLimitExceeded extends ThreadDied {}

interface Call<P extends ThreadProtocol> {
  message: P['request'];
  transfer: readonly Transferable[];
  resolve(reply: P['reply']): void;
  reject(error: Error): void;
}

/** @typeParam P protocol of the thread, whose other end is `answerMessages` */
export class ThreadQueue<P extends ThreadProtocol & { work: ThreadWork }> {
  readonly #entry: URL;
  readonly #task: P['task'];
  readonly #workMsMax: number | null;
  /** By caller name, in the order of their turns. */
  readonly #queued = new Map<string, Call<P>[]>();
  #thread: Thread<P> | null = null;
  #current: Call<P> | null = null;
  #idleTimer: NodeJS.Timeout | null = null;

  /**
   * @param entry the worker file
   * @param workMsMax of processor time for one request; a thread that takes more is ended
   */
  constructor(entry: URL, task: P['task'], workMsMax: number | null = null) {
    this.#entry = entry;
    this.#task = task;
    this.#workMsMax = workMsMax;
  }

  /**
   * @param name name of the caller whose turn it uses
   * @throws ThreadDied
   */
  ask<M extends keyof P['work']>(
    name: string,
    method: M,
    request: Parameters<P['work'][M]>[0],
    transfer: readonly Transferable[],
  ): Promise<ReturnType<P['work'][M]>> {
    return new Promise((resolve, reject) => {
      const call: Call<P> = {
        message: { method, request },
        transfer,
        resolve: (reply) => resolve(reply as ReturnType<P['work'][M]>),
        reject,
      };
      const queue = this.#queued.get(name);
      if (queue) queue.push(call);
      else this.#queued.set(name, [call]);
      if (!this.#current) this.#next();
    });
  }

  /** Ends the thread. Pending requests get no answer. */
  async stop(): Promise<void> {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  #next(): void {
    this.#current = this.#dequeue();
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    if (!this.#current) {
      this.#idleTimer = setTimeout(() => this.stop(), idleMs).unref();
      return;
    }
    this.#thread ??= this.#start();
    try {
      this.#thread.postMessage(this.#current.message, this.#current.transfer);
    } catch (error) {
      // A message that cannot be cloned fails alone.
      this.#current.reject(error as Error);
      this.#next();
      return;
    }
    if (this.#workMsMax !== null) void this.#limit(this.#thread, this.#current, this.#workMsMax);
  }

  async #limit(thread: Worker, call: Call<P>, workMsMax: number): Promise<void> {
    const isCurrent = () => this.#thread === thread && this.#current === call;
    const startMs = await processorMs(thread);
    while (isCurrent()) {
      await new Promise((resolve) => setTimeout(resolve, checkIntervalMs).unref());
      if ((await processorMs(thread)) - startMs <= workMsMax || !isCurrent()) continue;
      this.#end(thread, new ThreadLimitExceeded(`It took more than ${workMsMax} ms of processor time`));
      await thread.terminate();
    }
  }

  /** First request of the next caller, which then moves to the end of the line. */
  #dequeue(): Call<P> | null {
    const [turn] = this.#queued;
    if (!turn) return null;
    const [name, queue] = turn;
    const call = queue.shift() ?? null;
    this.#queued.delete(name);
    if (queue.length > 0) this.#queued.set(name, queue);
    return call;
  }

  #start(): Thread<P> {
    const thread = startThread<P>(this.#entry, this.#task);
    thread.on('message', (reply) => {
      this.#current?.resolve(reply);
      this.#next();
    });
    // An error comes before the exit; only the first of the two counts.
    thread.on('error', (error) =>
      this.#end(thread, isOutOfMemory(error) ? new ThreadLimitExceeded(error.message) : new ThreadDied(error.message)),
    );
    thread.on('exit', () => this.#end(thread, new ThreadDied('The thread ended')));
    thread.unref();
    return thread;
  }

  /** Later requests get another thread. */
  #end(thread: Worker, error: ThreadDied): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#current?.reject(error);
    this.#next();
  }
}

const isOutOfMemory = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Processor time in milliseconds; 0 for a thread that has not started, or has ended. */
async function processorMs(thread: Worker): Promise<number> {
  // Before Node 24.6 the processor time of a thread is unknown: the busy time of its loop is used, which other programs can lengthen.
  if (!('cpuUsage' in thread)) return (thread as Worker).performance.eventLoopUtilization().active;
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}
