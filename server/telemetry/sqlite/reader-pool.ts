/** Hands reads to whichever thread has the fewest waiting. Answers come back as JSON bytes, ready to be sent. */
import type { Worker } from 'node:worker_threads';
import { must } from '../../platform/assert.ts';
import { startWorker } from '../../platform/worker.ts';
import { Encoded, type Page } from '../encoded.ts';
import { StorageError } from '../storage-error.ts';
import { newBlindKey } from './blind-numbers.ts';
import type { ReadMethod, ReadReply, ReadRequest, ReadTask } from './read-thread.ts';

interface Waiting {
  resolve(reply: Extract<ReadReply, { kind: 'read' }>): void;
  reject(error: Error): void;
}

interface Reader {
  worker: Worker;
  waiting: Map<number, Waiting>;
}

export class ReaderPool {
  readonly #entry: URL;
  readonly #file: string;
  readonly #sizeMax: number;
  readonly #blindKey = newBlindKey();
  readonly #budgetMs: number;
  readonly #readers: Reader[] = [];
  #nextId = 1;
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

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#readers.map(({ worker }) => worker.terminate()));
  }

  #call(method: ReadMethod, args: unknown[]): Promise<Extract<ReadReply, { kind: 'read' }>> {
    if (this.#stopping) return Promise.reject(new StorageError('stopping', 'The store is being closed'));
    const reader = this.#choose();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      reader.waiting.set(id, { resolve, reject });
      reader.worker.postMessage({ id, method, args } satisfies ReadRequest);
    });
  }

  #choose(): Reader {
    const least = this.#readers.toSorted((a, b) => a.waiting.size - b.waiting.size)[0];
    if (least && (least.waiting.size === 0 || this.#readers.length >= this.#sizeMax)) return least;
    const started = this.#start();
    this.#readers.push(started);
    return started;
  }

  #start(): Reader {
    const reader: Reader = {
      worker: startWorker(this.#entry, {
        role: 'read',
        file: this.#file,
        budgetMs: this.#budgetMs,
        blindKey: this.#blindKey,
      } satisfies ReadTask),
      waiting: new Map(),
    };
    reader.worker.on('message', (reply: ReadReply) => {
      const waiting = must(reader.waiting.get(reply.id), 'a read was asked');
      reader.waiting.delete(reply.id);
      if (reply.kind === 'read') waiting.resolve(reply);
      else waiting.reject(reply.trouble ? new StorageError(reply.trouble, reply.message) : new Error(reply.message));
    });
    reader.worker.on('error', (error) => this.#bury(reader, error));
    return reader;
  }

  /** A dead reader fails what it was asked. The next call starts another, so that one which cannot even begin is not started for ever. */
  #bury(reader: Reader, error: Error): void {
    this.#readers.splice(this.#readers.indexOf(reader), 1);
    const failure = new StorageError('io', `A reader failed: ${error.message}`);
    for (const waiting of reader.waiting.values()) waiting.reject(failure);
  }
}
