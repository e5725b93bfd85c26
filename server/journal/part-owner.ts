/** Applies the entries of one part of the journal, in order, as long as its lease is held. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lease } from '../jobs/lease.ts';
import type { Log } from '../platform/log.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import type { OwningWriter, StoreResult } from '../telemetry/store-requests.ts';
import type { Entry, JournalTable } from './journal-table.ts';

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

const firstPauseMs = 100;
const pauseMaxMs = 5_000;
/** Some minutes of a database that is busy with something else. */
const attemptsMax = 30;

export class PartOwner {
  readonly #parts: PartOwnerParts;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #wake: (() => void) | null = null;
  #isWoken = true;
  /** Of entries for which the database needed too long. */
  readonly #attempts = new Map<string, number>();

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

  /** There may be entries. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Resolves when the running round has ended. Never rejects. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.wake();
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
      signal.addEventListener('abort', () => this.wake(), { once: true });
    for (let pauseMs = firstPauseMs; !this.#isOver; ) {
      if (!this.#isWoken) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      this.#isWoken = false;
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

  /** @returns whether there may be more. @throws when entries must be tried again later */
  async #round(): Promise<boolean> {
    const { table, part, lease } = this.#parts;
    const entries = await table.take(part);
    if (entries.length === 0) return false;
    const results = new Map(await Promise.all(entries.map(async (entry) => [entry.id, await this.#apply(entry)] as const)));
    this.#countAttempts(results);
    await this.#setAside(results);
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
    const failed = results.values().find((result) => 'error' in result && isTemporary(result.error));
    if (failed && 'error' in failed) throw failed.error;
    return removed.length === applied.length;
  }

  #apply({ body, acknowledged }: Entry): Promise<StoreResult> {
    return this.#parts.writer.apply(new Uint8Array(body), acknowledged);
  }

  /** The senders of these were told that they are stored, so that the quota comes too late for them. */
  async #storeAcknowledged(entries: readonly Entry[], results: Map<string, StoreResult>): Promise<void> {
    for (const entry of entries) results.set(entry.id, await this.#apply({ ...entry, acknowledged: true }));
  }

  /** What is too large for the database must not hold up the others for ever. */
  #countAttempts(results: Map<string, StoreResult>): void {
    for (const [id, result] of results) {
      const isSlow = 'error' in result && result.error.errorKind === 'slow';
      const attempts = isSlow ? (this.#attempts.get(id) ?? 0) + 1 : 0;
      if (attempts === 0) this.#attempts.delete(id);
      else this.#attempts.set(id, attempts);
      if (isSlow && attempts >= attemptsMax) results.set(id, { error: new StorageError('mistake', result.error.message) });
    }
  }

  /** Entries that a bug keeps from being applied must not hold up the others. */
  async #setAside(results: Results): Promise<void> {
    for (const [id, result] of results) {
      if (!('error' in result) || isTemporary(result.error)) continue;
      this.#parts.log.error('journal_entry_failed', { id, reason: result.error.message });
      await this.#parts.table.keepFailure(this.#parts.lease.claim, id, result.error.message);
      this.#parts.onResults(new Map([[id, result]]));
    }
  }
}

/** Damage and a later version are mended elsewhere. */
const isTemporary = ({ errorKind }: StorageError): boolean => errorKind !== 'mistake';

const idsOf = (results: Results, test: (result: StoreResult) => boolean): string[] =>
  [...results].filter(([, result]) => test(result)).map(([id]) => id);
