/**
 * Queue in front of one thread, which handles one request at a time. The thread starts with the first request, ends when it is idle for a
 * while, and restarts after it dies. Callers take turns by name, so that a busy caller waits only for itself.
 */
import type { Transferable, Worker } from 'node:worker_threads';

/** Idle time after which the thread ends to free its memory. */
const restMs = 60_000;

/** Interval of the limit checks. */
const lookMs = 50;

/** The thread died while it handled the request. */
export class ThreadDied extends Error {}

/** The request exceeded its limit of time or memory. */
export class ThreadLimitExceeded extends ThreadDied {}

interface Asked<Work extends (request: never) => unknown> {
  request: Parameters<Work>[0];
  transfer: readonly Transferable[];
  resolve(reply: ReturnType<Work>): void;
  reject(error: Error): void;
}

/** @typeParam Work handler of a message, from which both ends take their types (`answerMessages` is the other end) */
export class ThreadQueue<Work extends (request: never) => unknown> {
  readonly #start: () => Worker;
  readonly #workMsMax: number | null;
  /** By caller name, in the order of their turns. */
  readonly #waiting = new Map<string, Asked<Work>[]>();
  #thread: Worker | null = null;
  #current: Asked<Work> | null = null;
  #rest: NodeJS.Timeout | null = null;

  /**
   * @param start a thread that answers each message with one
   * @param workMsMax of processor time for one message; a thread that takes more is ended
   */
  constructor(start: () => Worker, workMsMax: number | null = null) {
    this.#start = start;
    this.#workMsMax = workMsMax;
  }

  /**
   * @param name name of the caller whose turn it uses
   * @throws ThreadDied
   */
  ask(name: string, request: Parameters<Work>[0], transfer: readonly Transferable[]): Promise<ReturnType<Work>> {
    return new Promise((resolve, reject) => {
      const asked = { request, transfer, resolve, reject };
      const mine = this.#waiting.get(name);
      if (mine) mine.push(asked);
      else this.#waiting.set(name, [asked]);
      if (!this.#current) this.#next();
    });
  }

  /** Ends the thread. Pending requests get no answer. */
  async stop(): Promise<void> {
    if (this.#rest) clearTimeout(this.#rest);
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  #next(): void {
    this.#current = this.#take();
    if (this.#rest) clearTimeout(this.#rest);
    if (!this.#current) {
      this.#rest = setTimeout(() => this.stop(), restMs).unref();
      return;
    }
    this.#thread ??= this.#begin();
    this.#thread.postMessage(this.#current.request, this.#current.transfer);
    if (this.#workMsMax !== null) void this.#limit(this.#thread, this.#current, this.#workMsMax);
  }

  async #limit(thread: Worker, asked: Asked<Work>, workMsMax: number): Promise<void> {
    const isAt = () => this.#thread === thread && this.#current === asked;
    const before = await workedMs(thread);
    while (isAt()) {
      await new Promise((resolve) => setTimeout(resolve, lookMs).unref());
      if ((await workedMs(thread)) - before <= workMsMax || !isAt()) continue;
      this.#end(thread, new ThreadLimitExceeded(`It took more than ${workMsMax} ms of processor time`));
      await thread.terminate();
    }
  }

  /** First request of the next caller, who moves to the end of the turns. */
  #take(): Asked<Work> | null {
    const [turn] = this.#waiting;
    if (!turn) return null;
    const [name, mine] = turn;
    const asked = mine.shift() ?? null;
    this.#waiting.delete(name);
    if (mine.length > 0) this.#waiting.set(name, mine);
    return asked;
  }

  #begin(): Worker {
    const thread = this.#start();
    thread.on('message', (reply: ReturnType<Work>) => {
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

/** Milliseconds; none for a thread that has not begun, or has ended. */
async function workedMs(thread: Worker): Promise<number> {
  // Before Node 24.6 the processor time of a thread is unknown: the busy time of its loop is used, which other programs can lengthen.
  if (!('cpuUsage' in thread)) return (thread as Worker).performance.eventLoopUtilization().active;
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}
