/**
 * One thread that does one thing at a time for many. It is started when the first thing is asked of it, ends when nothing was for a while,
 * and is started again when it dies. Those who ask take turns by name: who asks for much waits behind their own.
 */
import type { Transferable, Worker } from 'node:worker_threads';

/** After so long without work the thread ends, and its memory is free. */
const restMs = 60_000;

/** How often a thread with a limit is looked at. */
const lookMs = 50;

/** The thread died of what it was asked, or while it was asked. */
export class WorkerDied extends Error {}

/** What it was asked took more time or memory than it may. */
export class WorkerSpent extends WorkerDied {}

interface Asked<Work extends (request: never) => unknown> {
  request: Parameters<Work>[0];
  transfer: readonly Transferable[];
  resolve(reply: ReturnType<Work>): void;
  reject(error: Error): void;
}

/** @typeParam Work what the thread does with a message, from which both ends take their types (`answerMessages` is the other) */
export class WorkerQueue<Work extends (request: never) => unknown> {
  readonly #start: () => Worker;
  readonly #workMsMax: number | null;
  /** By name, in the order of their turns. */
  readonly #waiting = new Map<string, Asked<Work>[]>();
  #worker: Worker | null = null;
  #current: Asked<Work> | null = null;
  #rest: NodeJS.Timeout | null = null;

  /**
   * @param start a worker that answers each message with one
   * @param workMsMax of processor time for one message; a thread that takes more is ended
   */
  constructor(start: () => Worker, workMsMax: number | null = null) {
    this.#start = start;
    this.#workMsMax = workMsMax;
  }

  /**
   * @param name of whose turn it is
   * @throws WorkerDied
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

  /** Ends the thread. What still waits for it is not answered. */
  async stop(): Promise<void> {
    if (this.#rest) clearTimeout(this.#rest);
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  #next(): void {
    this.#current = this.#take();
    if (this.#rest) clearTimeout(this.#rest);
    if (!this.#current) {
      this.#rest = setTimeout(() => this.stop(), restMs).unref();
      return;
    }
    this.#worker ??= this.#begin();
    this.#worker.postMessage(this.#current.request, this.#current.transfer);
    if (this.#workMsMax !== null) void this.#limit(this.#worker, this.#current, this.#workMsMax);
  }

  async #limit(worker: Worker, asked: Asked<Work>, workMsMax: number): Promise<void> {
    const isAt = () => this.#worker === worker && this.#current === asked;
    const before = await workedMs(worker);
    while (isAt()) {
      await new Promise((resolve) => setTimeout(resolve, lookMs).unref());
      if ((await workedMs(worker)) - before <= workMsMax || !isAt()) continue;
      this.#end(worker, new WorkerSpent(`It took more than ${workMsMax} ms of processor time`));
      await worker.terminate();
    }
  }

  /** The first of the name whose turn it is, which goes to the end of the line. */
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
    const worker = this.#start();
    worker.on('message', (reply: ReturnType<Work>) => {
      this.#current?.resolve(reply);
      this.#next();
    });
    // Its error comes before its end; only the first of the two counts.
    worker.on('error', (error) => this.#end(worker, isOutOfMemory(error) ? new WorkerSpent(error.message) : new WorkerDied(error.message)));
    worker.on('exit', () => this.#end(worker, new WorkerDied('The thread ended')));
    worker.unref();
    return worker;
  }

  /** What is asked next is asked of another thread. */
  #end(worker: Worker, error: WorkerDied): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#current?.reject(error);
    this.#next();
  }
}

const isOutOfMemory = (error: Error): boolean => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Milliseconds; none for a thread that has not begun, or has ended. */
async function workedMs(worker: Worker): Promise<number> {
  // Before Node 24.6 nobody knows the processor time of a thread: then it is the time its loop was busy, which other programs can lengthen.
  if (!('cpuUsage' in worker)) return (worker as Worker).performance.eventLoopUtilization().active;
  const { user, system } = await worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1000;
}
