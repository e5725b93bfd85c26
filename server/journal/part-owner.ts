/** Applies the entries of one part of the journal, in order but for those that fail on their own, as long as its lease is held. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '../jobs/lease.ts';
import { must } from '../platform/assert.ts';
import type { Log } from '../platform/log.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import type { OwningWriter, StoreResult } from '../telemetry/store-requests.ts';
import { type Entry, type JournalTable, takenMax } from './journal-table.ts';
import { Retries } from './retries.ts';
import { SlowEntries } from './slow-entries.ts';

/** Results of entries, by id. */
export type Results = ReadonlyMap<string, StoreResult>;

export interface PartOwnerParts {
  part: number;
  lease: Lease;
  table: JournalTable;
  writer: OwningWriter;
  log: Log;
  /** The entries are applied and gone from the journal, or were refused; only those whose senders may still wait. */
  onResults(results: Results): void;
}

/** A commit costs the database much, whatever its size: soon after one, and while nobody waits for a result, an owner waits for further entries. */
const gatherMs = 300;
/** Bytes of bodies of a commit that is large enough. */
const largeBytes = 1024 * 1024;
const firstPauseMs = 100;
const pauseMaxMs = 5_000;

export class PartOwner {
  readonly #parts: PartOwnerParts;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #wake: (() => void) | null = null;
  #isWoken = true;
  #isAwaited = false;
  /** By performance.now(): until then further entries are waited for. */
  #gathersUntilMs = 0;
  readonly #slow = new SlowEntries();
  readonly #retries = new Retries();
  #nextNoteMs = 0;

  constructor(parts: PartOwnerParts) {
    this.#parts = parts;
    this.#ended = this.#run();
  }

  get lease(): Lease {
    return this.#parts.lease;
  }

  get part(): number {
    return this.#parts.part;
  }

  /** There may be entries. @param isAwaited somebody waits for the result of one */
  wake(isAwaited = false): void {
    this.#isWoken = true;
    this.#isAwaited ||= isAwaited;
    this.#wake?.();
  }

  /** Resolves when the running round has ended. Never rejects. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake(true);
    await this.#ended;
  }

  /** Ends the writer. Call it when the owner is stopped. */
  close(): Promise<void> {
    return this.#parts.writer.stop();
  }

  /** It cannot go on: the lease is somebody else's, or the writer has ended. */
  get isLost(): boolean {
    return this.#parts.lease.lost.aborted || this.#parts.writer.ended.aborted;
  }

  get #isOver(): boolean {
    return this.#stopping.signal.aborted || this.isLost;
  }

  async #run(): Promise<void> {
    for (const signal of [this.#parts.lease.lost, this.#parts.writer.ended])
      signal.addEventListener('abort', () => this.wake(true), { once: true });
    for (let pauseMs = firstPauseMs; !this.#isOver; ) {
      const gathersMs = this.#isAwaited ? 0 : this.#gathersUntilMs - performance.now();
      if (!this.#isWoken || gathersMs > 0) {
        await this.#woken(this.#isWoken ? gathersMs : null);
        continue;
      }
      this.#isWoken = false;
      this.#isAwaited = false;
      try {
        while (!this.#isOver && (await this.#round()));
        pauseMs = firstPauseMs;
      } catch (error) {
        this.#parts.log.error('journal_waits', { part: this.#parts.part, reason: String(error) });
        this.#isWoken = true;
        await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: this.#stopping.signal }).catch(() => {});
        pauseMs = Math.min(2 * pauseMs, pauseMaxMs);
      }
    }
  }

  /** Resolves with the next wake. @param ms and after this time; null for no such time */
  async #woken(ms: number | null): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = ms === null ? undefined : setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
  }

  /** @returns whether there may be more that need not wait. @throws when nothing can be applied now */
  async #round(): Promise<boolean> {
    const { table, lease } = this.#parts;
    const entries = await this.#take();
    if (entries.length === 0) return false;
    const results = await this.#apply(entries);
    this.#judgeSlow(results);
    const setAside = await this.#setAside(entries, results);
    const spent = idsOf(results, (result) => 'spent' in result);
    const refused = spent.length === 0 ? [] : await table.refuse(lease.claim, spent);
    const promised = new Set(spent.length === refused.length ? [] : await table.acknowledged(lease.claim, spent));
    await this.#storeAcknowledged(
      entries.filter(({ id }) => promised.has(id)),
      results,
    );
    const applied = idsOf(results, (result) => 'outcome' in result || 'value' in result);
    const removed = applied.length === 0 ? [] : await table.remove(lease.claim, applied);
    const done = new Set([...removed, ...refused]);
    const awaited = entries.filter(({ id, isAwaited }) => isAwaited && done.has(id)).map(({ id }) => id);
    if (awaited.length > 0) this.#parts.onResults(new Map([...results].filter(([id]) => awaited.includes(id))));
    await this.#retryLater(entries, results, setAside + done.size > 0);
    if (removed.length < applied.length) return false;
    if (isLarge(entries)) return true;
    this.#isWoken = true;
    this.#gathersUntilMs = performance.now() + gatherMs;
    return false;
  }

  async #take(): Promise<Entry[]> {
    const { table, part } = this.#parts;
    const due = this.#retries.due();
    const again = due.length === 0 ? [] : await table.takeAgain(part, due);
    const others = this.#retries.isFull ? [] : await table.take(part, this.#retries.numbers);
    return [...again, ...others].sort((a, b) => a.number - b.number);
  }

  /** @param wasAnyDone then what failed did so on its own @throws the failure that concerns all */
  async #retryLater(entries: readonly Entry[], results: Results, wasAnyDone: boolean): Promise<void> {
    let ofAll: StorageError | null = null;
    const first: string[] = [];
    for (const { id, number } of entries) {
      const result = results.get(id);
      const error = result && 'error' in result && isTemporary(result.error) ? result.error : null;
      if (!error) this.#retries.ended(number);
      else if (wasAnyDone || error.isOfOne) {
        if (this.#retries.failed(number)) first.push(id);
        this.#noteWaiting(error);
      } else ofAll = error;
    }
    if (first.length > 0) await this.#parts.table.noteRetried(first);
    if (ofAll) throw ofAll;
  }

  /** Now and then. */
  #noteWaiting(error: StorageError): void {
    if (performance.now() < this.#nextNoteMs) return;
    this.#nextNoteMs = performance.now() + pauseMaxMs;
    this.#parts.log.error('journal_waits', { part: this.#parts.part, reason: String(error) });
  }

  /** @returns results by id */
  async #apply(entries: readonly Entry[]): Promise<Map<string, StoreResult>> {
    const requests = entries.map(({ number, body, acknowledged }) => ({
      number,
      body: new Uint8Array(body),
      isAcknowledged: acknowledged,
    }));
    const results = await this.#parts.writer.apply(requests);
    return new Map(entries.map(({ id }, index) => [id, must(results[index], 'a request has a result')]));
  }

  /** The senders of these were told that they are stored, so that the quota comes too late for them. */
  async #storeAcknowledged(entries: readonly Entry[], results: Map<string, StoreResult>): Promise<void> {
    if (entries.length === 0) return;
    const stored = await this.#apply(entries.map((entry) => ({ ...entry, acknowledged: true })));
    for (const [id, result] of stored) results.set(id, result);
  }

  /** What is too large for the database must not hold up the others for ever. */
  #judgeSlow(results: Map<string, StoreResult>): void {
    for (const [id, result] of results) if (!('error' in result)) this.#slow.stored(id);
    for (const [id, result] of results) {
      if (!('error' in result) || result.error.errorKind !== 'slow' || !this.#slow.failed(id)) continue;
      this.#slow.ended(id);
      results.set(id, { error: new StorageError('mistake', result.error.message) });
    }
  }

  /** Entries that a bug keeps from being applied must not hold up the others. @returns how many */
  async #setAside(entries: readonly Entry[], results: Results): Promise<number> {
    let count = 0;
    for (const { id, number } of entries) {
      const result = results.get(id);
      if (!result || !('error' in result) || isTemporary(result.error)) continue;
      count++;
      this.#parts.log.error('journal_entry_failed', { id, reason: result.error.message });
      await this.#parts.table.keepFailure(this.#parts.lease.claim, id, result.error.message);
      this.#parts.writer.giveUp(number);
      this.#parts.onResults(new Map([[id, result]]));
    }
    return count;
  }
}

const isLarge = (entries: readonly Entry[]): boolean =>
  entries.length >= takenMax || entries.reduce((sum, { body }) => sum + body.length, 0) >= largeBytes;

/** Damage and a later version are mended elsewhere. */
const isTemporary = ({ errorKind }: StorageError): boolean => errorKind !== 'mistake';

const idsOf = (results: Results, test: (result: StoreResult) => boolean): string[] =>
  [...results].filter(([, result]) => test(result)).map(([id]) => id);
