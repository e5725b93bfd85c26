/**
 * The thread that owns the one write connection. Requests that wait while a commit runs are committed together with the
 * next one, so an fsync is shared by as many as there are, and a lone request waits for nobody.
 */

import { statSync } from 'node:fs';
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import type { Token } from '../../forwarding/valve/tokens.ts';
import type { PriceOverrides } from '../../ingest/cost/own-prices.ts';
import { createPricing, type Pricing } from '../../ingest/cost/pricing.ts';
import { must } from '../../platform/assert.ts';
import { collectWhenIdle } from '../../platform/idle-collect.ts';
import { release } from '../../platform/release.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Spent } from '../allowance.ts';
import type { IntakeMessage } from '../intake.ts';
import type { CommitNotice, WriteOutcome } from '../span-writer.ts';
import { StorageError, type StorageTrouble } from '../storage-error.ts';
import type { RetentionRule } from '../store-upkeep.ts';
import type { ForwardDeed } from './forward/forward-rows.ts';
import { openWriter } from './open.ts';
import { storageTrouble } from './sqlite-trouble.ts';
import { ContentIndexer } from './write/content-indexer.ts';
import { type WriteRequest, Writer } from './write/writer.ts';

/** What comes over a port: from a decoding thread, or from the store itself. Groups are made of both. */
export type WriteMessage = IntakeMessage | (WriteRequest & { id: number });

/** What is done to the whole store; answered as a write of nothing would be. */
export type Upkeep =
  | { kind: 'probe' }
  | { kind: 'retain'; rule: RetentionRule }
  | { kind: 'compact' }
  | { kind: 'forward'; scope: Scope; deed: ForwardDeed }
  | { kind: 'vault'; scope: Scope; tokens: readonly Token[] };

export type WriteThreadRequest = { kind: 'intake'; port: MessagePort } | (Upkeep & { id: number }) | { kind: 'stop' };

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
/** While more than this part of the thread's time goes into writing, the work of the pauses rests, and looks again after a while. */
const pauseLoadMax = 1 / 3;
const restMs = 100;
/** How often there may be something to do although nothing was written: traces grow old by themselves. */
const wakeMs = 60_000;

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
      else if (request.kind !== 'stop') thread.keepUp(request);
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
  /** What is done in the pauses, a little at a time, the first that has something to do first. */
  #chores: { step(): boolean }[];
  #pausing: NodeJS.Timeout | undefined;
  readonly #waking: NodeJS.Timeout;
  /** When the load was last looked at, and how long the thread has been writing since. */
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
    this.#chores = this.#newChores();
    this.#inode = statSync(file).ino;
    this.#pauseIn(idleMs);
    this.#waking = setInterval(() => this.#pauseSoon(), wakeMs);
    this.#waking.unref();
  }

  #newChores(): { step(): boolean }[] {
    return [this.#writer.retention, new ContentIndexer(this.#db)];
  }

  listen(port: MessagePort): void {
    this.#ports.push(port);
    port.on('message', (first: WriteMessage) => this.write(this.#gather(first)));
  }

  keepUp(work: Upkeep & { id: number }): void {
    const { id } = work;
    try {
      const trouble = this.#readiness();
      if (trouble) throw trouble;
      if (work.kind === 'retain') this.#writer.retention.setRule(work.rule);
      if (work.kind === 'compact') this.#writer.compact();
      if (work.kind === 'forward') this.#writer.forward(work.scope, work.deed);
      if (work.kind === 'vault') this.#writer.keepTokens(work.scope, work.tokens);
      this.#reply({ kind: 'written', id, outcome: { accepted: 0, duplicates: 0, conflicts: [] } });
      this.#pauseSoon();
    } catch (error) {
      const trouble = error instanceof StorageError ? error.trouble : (storageTrouble(error) ?? 'mistake');
      this.#reply({ kind: 'refused', id, trouble, message: error instanceof Error ? error.message : String(error) });
    }
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
      this.#pauseSoon();
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
      this.#chores = this.#newChores();
      this.#usable = true;
      return null;
    } catch (error) {
      return error instanceof StorageError ? error : new StorageError('io', String(error));
    }
  }

  #pauseSoon(): void {
    if (!this.#pausing) this.#pauseIn(restMs);
  }

  #pauseIn(ms: number): void {
    this.#pausing = setTimeout(() => this.#pause(), ms);
    this.#pausing.unref();
  }

  /**
   * One step of one chore. On a disk that fails they rest until something could be written again, and after a mistake one is left until the
   * gateway is started anew: nothing about an index, or about what is old, is worth the thread that keeps spans.
   */
  #pause(): void {
    this.#pausing = undefined;
    if (!this.#usable) return;
    if (this.#load() > pauseLoadMax) {
      this.#pauseIn(restMs);
      return;
    }
    const isDone = this.#chores.every((chore) => !this.#step(chore));
    this.#fold(isDone ? idleLogPagesMax : logPagesMax);
    if (!isDone) this.#pauseIn(0);
  }

  #step(chore: { step(): boolean }): boolean {
    try {
      return chore.step();
    } catch (error) {
      if (!storageTrouble(error)) this.#chores = this.#chores.filter((each) => each !== chore);
      return false;
    }
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
    clearTimeout(this.#pausing);
    clearInterval(this.#waking);
    this.#writer.close();
    this.#reply({ kind: 'stopped' });
  }
}
