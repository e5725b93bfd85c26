/**
 * The thread that owns the one write connection. Requests that wait while a commit runs are committed together with the
 * next one, so an fsync is shared by as many as there are, and a lone request waits for nobody.
 */

import { statSync } from 'node:fs';
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { PriceOverrides } from '../../ingest/cost/own-prices.ts';
import { createPricing, type Pricing } from '../../ingest/cost/pricing.ts';
import { must } from '../../platform/assert.ts';
import { collectWhenIdle } from '../../platform/idle-collect.ts';
import { release } from '../../platform/release.ts';
import type { Spent } from '../allowance.ts';
import type { IntakeMessage } from '../intake.ts';
import type { CommitNotice, WriteOutcome } from '../span-writer.ts';
import { StorageError, type StorageTrouble } from '../storage-error.ts';
import { openWriter } from './open.ts';
import { storageTrouble } from './sqlite-trouble.ts';
import { ContentIndexer } from './write/content-indexer.ts';
import { type WriteRequest, Writer } from './write/writer.ts';

/** What comes over a port: from a decoding thread, or from the store itself. Groups are made of both. */
export type WriteMessage = IntakeMessage | (WriteRequest & { id: number });

export type WriteThreadRequest = { kind: 'intake'; port: MessagePort } | { kind: 'probe'; id: number } | { kind: 'stop' };

export type WriteThreadReply =
  | { kind: 'ready' }
  | { kind: 'failed'; trouble: StorageTrouble; message: string }
  | { kind: 'written'; id: number; outcome: WriteOutcome }
  | { kind: 'refused'; id: number; trouble: StorageTrouble; message: string }
  | { kind: 'spent'; id: number; spent: Spent }
  | { kind: 'committed'; notices: CommitNotice[] }
  | { kind: 'stopped' };

/** Larger groups gain nothing and make the first member wait. */
const groupRowsMax = 1500;
const groupBytesMax = 8 * 1024 * 1024;
/** Beyond this the log is folded into the database after a commit; when nothing happens, much earlier. */
const logPagesMax = 6_000;
const idleLogPagesMax = 250;
const idleMs = 1500;
/** While more than this part of the thread's time goes into writing, the index of words rests, and looks again after a while. */
const indexLoadMax = 1 / 3;
const indexRestMs = 100;

/** What the thread is started with. */
export interface WriteTask {
  role: 'write';
  file: string;
  prices: PriceOverrides;
}

export function runWriteThread({ file, prices }: WriteTask): void {
  const main = must(parentPort, 'the writer runs in a worker thread');
  const reply = (message: WriteThreadReply) => main.postMessage(message);
  try {
    const thread = new WriteThread(file, createPricing(prices), reply);
    main.on('message', (request: WriteThreadRequest) => {
      if (request.kind === 'intake') thread.listen(request.port);
      else if (request.kind === 'probe') thread.probe(request.id);
      else {
        thread.stop();
        main.close();
      }
    });
    reply({ kind: 'ready' });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    reply({ kind: 'failed', trouble: error.trouble, message: error.message });
    main.close();
  }
}

function sizeOf(message: WriteMessage): { rows: number; bytes: number } {
  if ('change' in message) return { rows: message.change.insert.length + message.change.remove.length, bytes: 0 };
  const { spans, logs, bytes } = message.batch;
  return { rows: spans.length + logs.length, bytes: bytes.length };
}

class WriteThread {
  readonly #file: string;
  readonly #pricing: Pricing;
  readonly #reply: (message: WriteThreadReply) => void;
  readonly #ports: MessagePort[] = [];
  #db;
  #writer: Writer;
  #indexer: ContentIndexer;
  #indexing: NodeJS.Timeout | undefined;
  #indexMistake: unknown;
  /** When the indexer last looked at the load, and how long the thread has been writing since. */
  #lookedAt = performance.now();
  #wroteMs = 0;
  /** False after a failed read or write, until the store was opened anew. */
  #usable = true;
  readonly #inode: number;
  #idle: NodeJS.Timeout | undefined;
  readonly #worked = collectWhenIdle();

  constructor(file: string, pricing: Pricing, reply: (message: WriteThreadReply) => void) {
    this.#file = file;
    this.#pricing = pricing;
    this.#reply = reply;
    this.#db = openWriter(file);
    this.#writer = new Writer(this.#db, this.#pricing);
    this.#indexer = new ContentIndexer(this.#db);
    this.#inode = statSync(file).ino;
    this.#indexLater(idleMs);
  }

  listen(port: MessagePort): void {
    this.#ports.push(port);
    port.on('message', (first: WriteMessage) => this.write(this.#gather(first)));
  }

  /** Answers as a write of nothing would be answered. */
  probe(id: number): void {
    const trouble = this.#readiness();
    if (trouble) this.#reply({ kind: 'refused', id, trouble: trouble.trouble, message: trouble.message });
    else this.#reply({ kind: 'written', id, outcome: { accepted: 0, duplicates: 0, conflicts: [] } });
  }

  /** The first message and those that already wait behind it, up to the size of a group. */
  #gather(first: WriteMessage): WriteMessage[] {
    const group = [first];
    let { rows, bytes } = sizeOf(first);
    for (const port of this.#ports) {
      while (rows < groupRowsMax && bytes < groupBytesMax) {
        const next = receiveMessageOnPort(port)?.message as WriteMessage | undefined;
        if (!next) break;
        group.push(next);
        const size = sizeOf(next);
        rows += size.rows;
        bytes += size.bytes;
      }
    }
    return group;
  }

  write(group: WriteMessage[]): void {
    const trouble = this.#readiness();
    if (trouble) {
      for (const { id } of group) this.#reply({ kind: 'refused', id, trouble: trouble.trouble, message: trouble.message });
      return;
    }
    const began = performance.now();
    const { results, notices } = this.#writer.write(group);
    this.#wroteMs += performance.now() - began;
    results.forEach((result, index) => {
      const { id } = group[index] as WriteMessage;
      if ('outcome' in result) this.#reply({ kind: 'written', id, outcome: result.outcome });
      else if ('spent' in result) this.#reply({ kind: 'spent', id, spent: result.spent });
      else {
        const { trouble, message } = result.error;
        this.#usable &&= trouble !== 'io' && trouble !== 'corrupt';
        this.#reply({ kind: 'refused', id, trouble, message });
      }
    });
    if (notices.length > 0) this.#reply({ kind: 'committed', notices });
    for (const message of group) if ('batch' in message) release(message.batch.bytes);
    if (this.#usable) {
      this.#tendLog();
      if (!this.#indexing) this.#indexLater(indexRestMs);
    }
    this.#worked();
  }

  /**
   * Null when the store can be written. After a failed read or write the handle is not to be trusted, since what it holds in
   * memory may differ from the disk, so it is opened anew. A file that was moved or replaced under us is never followed, nor
   * is a new one begun in its place: either would look like a store that forgot.
   */
  #readiness(): StorageError | null {
    if (statSync(this.#file, { throwIfNoEntry: false })?.ino !== this.#inode) {
      return new StorageError(
        'io',
        `${this.#file} was moved, replaced or deleted while the gateway ran. Put it back, or start the gateway again.`,
      );
    }
    if (this.#usable) return null;
    try {
      this.#db.close();
      this.#db = openWriter(this.#file);
      this.#writer = new Writer(this.#db, this.#pricing);
      this.#indexer = new ContentIndexer(this.#db);
      this.#usable = true;
      return null;
    } catch (error) {
      return error instanceof StorageError ? error : new StorageError('io', String(error));
    }
  }

  #indexLater(ms: number): void {
    this.#indexing = setTimeout(() => this.#index(), ms);
    this.#indexing.unref();
  }

  /**
   * One step of the indexer. On a disk that fails it rests until something could be written again, and after a mistake until the
   * gateway is started anew: spans that are not indexed are read, and nothing about an index is worth the thread that keeps spans.
   */
  #index(): void {
    this.#indexing = undefined;
    if (!this.#usable || this.#indexMistake) return;
    if (this.#load() > indexLoadMax) {
      this.#indexLater(indexRestMs);
      return;
    }
    try {
      const isDone = !this.#indexer.step();
      this.#fold(isDone ? idleLogPagesMax : logPagesMax);
      if (isDone) return;
    } catch (error) {
      if (!storageTrouble(error)) this.#indexMistake = error;
      return;
    }
    this.#indexLater(0);
  }

  /** The part of the time since the last look that was spent writing. */
  #load(): number {
    const now = performance.now();
    const load = this.#wroteMs / (now - this.#lookedAt);
    this.#lookedAt = now;
    this.#wroteMs = 0;
    return load;
  }

  #tendLog(): void {
    this.#fold(logPagesMax);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#fold(idleLogPagesMax), idleMs);
    this.#idle.unref();
  }

  /** Folds the log into the database once it is long. On a full or failing disk it stays a log, which loses nothing; the next write tells. */
  #fold(pagesMax: number): void {
    try {
      if (this.#logPages() > pagesMax) this.#db.pragma('wal_checkpoint(PASSIVE)');
    } catch (error) {
      if (!storageTrouble(error)) throw error;
    }
  }

  /** Pages of the log that are not in the database yet. The file's size says nothing: it is reused, not cut. */
  #logPages(): number {
    const [state] = this.#db.pragma('wal_checkpoint(NOOP)') as [{ log: number; checkpointed: number }];
    return state.log - state.checkpointed;
  }

  /** Writes what has been handed over, folds the log into the database, and closes. */
  stop(): void {
    clearTimeout(this.#idle);
    for (const port of this.#ports) {
      for (let waiting = receiveMessageOnPort(port); waiting; waiting = receiveMessageOnPort(port)) {
        this.write(this.#gather(waiting.message as WriteMessage));
      }
      port.close();
    }
    clearTimeout(this.#idle);
    clearTimeout(this.#indexing);
    this.#writer.close();
    this.#reply({ kind: 'stopped' });
  }
}
