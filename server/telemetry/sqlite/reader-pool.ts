/** Hands each read to the first thread that is free. Answers come back as JSON bytes, ready to be sent. */
import type { Worker } from 'node:worker_threads';
import { must } from '../../platform/assert.ts';
import { startWorker, stopWorker } from '../../platform/worker.ts';
import { Encoded, type Page } from '../encoded.ts';
import { StorageError } from '../storage-error.ts';
import { newBlindKey } from './blind-numbers.ts';
import type { SharedByReaders } from './read/reader.ts';
import type { Read, ReadMethod, ReadReply, ReadRequest, ReadTask } from './read-thread.ts';

interface Asked {
  read: Read;
  resolve(reply: Extract<ReadReply, { kind: 'read' }>): void;
  reject(error: Error): void;
}

interface Reader {
  worker: Worker;
  /** `starting` takes as long as a page to load: nothing waits behind that which another reader may answer. */
  state: 'starting' | 'free' | Asked;
}

export class ReaderPool {
  readonly #entry: URL;
  readonly #file: string;
  readonly #sizeMax: number;
  readonly #shared: SharedByReaders = { blindKey: newBlindKey(), closing: new Int32Array(new SharedArrayBuffer(4)) };
  readonly #budgetMs: number;
  readonly #readers: Reader[] = [];
  readonly #queue: Asked[] = [];
  #stopping = false;

  /** @param sizeMax readers are started when the ones there are all busy: each costs some 40 MB */
  constructor(entry: URL, file: string, sizeMax: number, budgetMs: number) {
    this.#entry = entry;
    this.#file = file;
    this.#sizeMax = sizeMax;
    this.#budgetMs = budgetMs;
    this.#readers.push(this.#start());
  }

  /** A method that answers one page. */
  page<A extends unknown[], T>(method: ReadMethod): (...args: A) => Promise<Page<T>> {
    return async (...args) => {
      const { json, total } = await this.#call(method, args);
      return { data: new Encoded<T[]>(must(json, `${method} answers a list`)), total };
    };
  }

  /** A method that answers one record or null. */
  one<A extends unknown[], T>(method: ReadMethod): (...args: A) => Promise<Encoded<T> | null> {
    return async (...args) => {
      const { json } = await this.#call(method, args);
      return json === null ? null : new Encoded<T>(json);
    };
  }

  /** A method that answers bytes with what is known of them, or null. */
  bytes<A extends unknown[], T extends object>(
    method: ReadMethod,
  ): (...args: A) => Promise<(T & { bytes: Uint8Array<ArrayBuffer> }) | null> {
    return async (...args) => {
      const { json, bytes } = await this.#call(method, args);
      return json === null ? null : { ...new Encoded<T>(json).decode(), bytes: must(bytes, `${method} answers bytes`) };
    };
  }

  /** A method that always answers, with bytes. */
  file<A extends unknown[], T extends object>(method: ReadMethod): (...args: A) => Promise<T & { bytes: Uint8Array<ArrayBuffer> }> {
    const asked = this.bytes<A, T>(method);
    return async (...args) => must(await asked(...args), `${method} always answers`);
  }

  /** A method that always answers. */
  whole<A extends unknown[], T>(method: ReadMethod): (...args: A) => Promise<Encoded<T>> {
    return async (...args) => new Encoded<T>(must((await this.#call(method, args)).json, `${method} always answers`));
  }

  /**
   * What is being read ends at its next look at the time; each thread closes its connection and ends by itself. To terminate one
   * while it loads SQLite's driver would abort the whole process (a failing call of Node-API is fatal there).
   */
  async stop(): Promise<void> {
    this.#stopping = true;
    Atomics.store(this.#shared.closing, 0, 1);
    for (const { reject } of this.#queue.splice(0)) reject(closing());
    await Promise.all(this.#readers.map(({ worker }) => stopWorker(worker, 'stop' satisfies ReadRequest)));
  }

  #call(method: ReadMethod, args: unknown[]): Promise<Extract<ReadReply, { kind: 'read' }>> {
    if (this.#stopping) return Promise.reject(closing());
    return new Promise((resolve, reject) => {
      this.#queue.push({ read: { method, args }, resolve, reject });
      this.#handOut();
    });
  }

  /** One read at a time to each reader; another reader is started when all are busy. */
  #handOut(): void {
    for (const reader of this.#readers) {
      if (reader.state !== 'free') continue;
      const asked = this.#queue.shift();
      if (!asked) return;
      reader.state = asked;
      reader.worker.postMessage(asked.read satisfies ReadRequest);
    }
    const isStarting = this.#readers.some(({ state }) => state === 'starting');
    if (this.#queue.length > 0 && !isStarting && this.#readers.length < this.#sizeMax) this.#readers.push(this.#start());
  }

  #start(): Reader {
    const reader: Reader = {
      worker: startWorker(this.#entry, {
        role: 'read',
        file: this.#file,
        budgetMs: this.#budgetMs,
        shared: this.#shared,
      } satisfies ReadTask),
      state: 'starting',
    };
    reader.worker.on('message', (reply: ReadReply) => {
      const { state } = reader;
      reader.state = 'free';
      this.#handOut();
      if (typeof state !== 'object' || reply.kind === 'ready') return;
      if (reply.kind === 'read') state.resolve(reply);
      else state.reject(reply.trouble ? new StorageError(reply.trouble, reply.message) : new Error(reply.message));
    });
    reader.worker.on('error', (error) => this.#bury(reader, error));
    return reader;
  }

  /**
   * A dead reader fails what it was asked; with the last of them goes what waits. The next call starts another, so that one which
   * cannot even begin is not started for ever.
   */
  #bury(reader: Reader, error: Error): void {
    this.#readers.splice(this.#readers.indexOf(reader), 1);
    const failure = new StorageError('io', `A reader failed: ${error.message}`);
    if (typeof reader.state === 'object') reader.state.reject(failure);
    if (this.#readers.length === 0) for (const { reject } of this.#queue.splice(0)) reject(failure);
    else this.#handOut();
  }
}

const closing = () => new StorageError('stopping', 'The store is being closed');
