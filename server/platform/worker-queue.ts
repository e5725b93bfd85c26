/**
 * One thread that does one thing at a time for many. It is started when the first thing is asked of it, ends when nothing was for a while,
 * and is started again when it dies. Those who ask take turns by name: who asks for much waits behind their own.
 */
import type { Transferable, Worker } from 'node:worker_threads';

/** After so long without work the thread ends, and its memory is free. */
const restMs = 60_000;

/** The thread died of what it was asked, or while it was asked. */
export class WorkerDied extends Error {}

interface Asked<Request, Reply> {
  request: Request;
  transfer: readonly Transferable[];
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

export class WorkerQueue<Request, Reply> {
  readonly #start: () => Worker;
  /** By name, in the order of their turns. */
  readonly #waiting = new Map<string, Asked<Request, Reply>[]>();
  #worker: Worker | null = null;
  #current: Asked<Request, Reply> | null = null;
  #rest: NodeJS.Timeout | null = null;

  /** @param start a worker that answers each message with one */
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /**
   * @param name of whose turn it is
   * @throws WorkerDied
   */
  ask(name: string, request: Request, transfer: readonly Transferable[]): Promise<Reply> {
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
  }

  /** The first of the name whose turn it is, which goes to the end of the line. */
  #take(): Asked<Request, Reply> | null {
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
    worker.on('message', (reply: Reply) => {
      this.#current?.resolve(reply);
      this.#next();
    });
    // Its error comes before its end; only the first of the two counts.
    const died = () => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#current?.reject(new WorkerDied('The thread died'));
      this.#next();
    };
    worker.on('error', died);
    worker.on('exit', died);
    worker.unref();
    return worker;
  }
}
