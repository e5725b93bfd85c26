/**
 * The durable path of a fleet (docs/adr/053-journal-of-a-fleet.md): a change is accepted once it is in the journal, and applied by the one gateway that owns
 * the part of its tenant. Its sender waits for the result for a moment, as counts and conflicts are only known then.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Notices } from '../coordination/notices.ts';
import { noticeBytesMax } from '../coordination/notices.ts';
import { Schedule } from '../jobs/schedule.ts';
import type { Log } from '../platform/log.ts';
import { StorageError } from '../telemetry/storage-error.ts';
import type { SentRequest, StoreResult, StoreWriter } from '../telemetry/store-requests.ts';
import { partOf } from '../telemetry/tenant-parts.ts';
import { BatchLoad, type Wait, waitOf } from './answer-wait.ts';
import { type Backlog, entriesOfCommit, type JournalTable, type NewEntry } from './journal-table.ts';
import type { Results } from './part-owner.ts';

const backlogEveryMs = 1_000;
/** How long the result of a batch is still expected after its sender was answered. */
const lateResultMs = 5_000;

export interface JournalLimits {
  /** Of one part: with more, new changes of its tenants are refused until its owner has caught up. */
  partBytes: number;
  /** Of the oldest entry of one part: the same. */
  ageMs: number;
  /** Of all parts: with more, all new changes are refused, so that the disk of the database does not fill up. */
  bytes: number;
  /** How long the sender of a batch waits for its result; then it is told that all of it was accepted. */
  waitMs: number;
  /** The same while the gateway takes many batches or their results are late, unless a quota may refuse them: exporters send the next one after the answer. */
  busyWaitMs: number;
}
export const journalLimits: JournalLimits = {
  ...{ partBytes: 512 * 1024 ** 2, ageMs: 10 * 60_000, bytes: 4 * 1024 ** 3 },
  ...{ waitMs: 1_500, busyWaitMs: 50 },
};

const entriesChannel = 'journal';
const resultsChannel = 'journal-results';
/** `awaited`: those of the parts of which somebody waits for a result. */
const entriesNotice = z.object({ parts: z.array(z.int()), awaited: z.array(z.int()).default([]) });
const outcome = z.strictObject({ accepted: z.int(), duplicates: z.int(), conflicts: z.array(z.string()) });
const resultNotice = z.strictObject({
  id: z.uuid(),
  outcome: outcome.optional(),
  spent: z.unknown().optional(),
  value: z.unknown().optional(),
});

interface JournalParts {
  table: JournalTable;
  notices: Notices;
  log: Log;
  limits?: Partial<JournalLimits>;
  /** Bytes of a change, for its entry. */
  encode(request: SentRequest): Promise<{ body: Uint8Array; size: number }>;
  /** This gateway may own the part. @param isAwaited somebody waits for the result of a new entry */
  wake(part: number, isAwaited: boolean): void;
}

interface Appending extends NewEntry {
  isPatient: boolean;
  resolve(): void;
  reject(error: unknown): void;
}

export class Journal implements StoreWriter {
  readonly #parts: JournalParts;
  readonly #limits: JournalLimits;
  readonly #waiting = new Map<string, (result: StoreResult) => void>();
  readonly #unfollow: (() => void)[];
  readonly #measuring: Schedule;
  #queue: Appending[] = [];
  #appending: Promise<void> | null = null;
  /** By part, as of a second ago. */
  #backlogs: ReadonlyMap<number, Backlog> = new Map();
  #failures = 0;
  readonly #load = new BatchLoad();

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#limits = { ...journalLimits, ...parts.limits };
    const { notices, log, wake } = parts;
    this.#unfollow = [
      notices.follow(entriesChannel, entriesNotice, {
        heard: ({ parts, awaited }) => {
          for (const part of parts) wake(part, awaited.includes(part));
        },
        missed: () => {},
      }),
      notices.follow(resultsChannel, resultNotice, {
        heard: ({ id, ...result }) => this.#settle(id, result as StoreResult),
        missed: () => {},
      }),
    ];
    this.#measuring = new Schedule(
      async () => {
        this.#backlogs = await parts.table.backlogs();
        this.#failures = await parts.table.failures();
      },
      backlogEveryMs,
      (error) => log.error('journal_not_measured', { reason: String(error) }),
    ).start();
  }

  /** Of the oldest entry, as of a second ago. */
  get oldestMs(): number {
    return Math.max(0, ...[...this.#backlogs.values()].map(({ ageMs }) => ageMs));
  }

  /** Of all parts, as of a second ago. */
  get bytes(): number {
    return this.#backlogs.values().reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Entries that were set aside, as of a second ago. */
  get failures(): number {
    return this.#failures;
  }

  async write(request: SentRequest): Promise<StoreResult> {
    const part = partOf(request.scope.tenant_id);
    const refusal = this.#refusal(part);
    if (refusal) return { error: refusal };
    // The batch is gone once it is encoded.
    const waits = waitOf(request, this.#limits, this.#load);
    const [id, began] = [randomUUID(), performance.now()];
    const { promise, resolve } = Promise.withResolvers<StoreResult>();
    this.#waiting.set(id, (result) => {
      this.#waiting.delete(id);
      if (waits.count !== null) this.#load.noteResult(performance.now() - began);
      resolve(result);
    });
    try {
      await this.#append({ id, part, ...(await this.#parts.encode(request)) }, waits.isPatient);
      const answer = await this.#result(id, waits, promise);
      // How late the result of a batch is tells how long to wait for those of the next ones.
      if (waits.count !== null) setTimeout(() => this.#forget(id, began), lateResultMs).unref();
      else this.#waiting.delete(id);
      return answer;
    } catch (error) {
      this.#waiting.delete(id);
      return { error: error instanceof StorageError ? error : new StorageError('mistake', String(error)) };
    }
  }

  /** Results of entries that this gateway applied, for whoever waits for them. */
  applied(results: Results): void {
    for (const [id, result] of results) {
      if (this.#waiting.has(id)) this.#settle(id, result);
      else if (!('error' in result)) this.#tell(id, result);
    }
  }

  async stop(): Promise<void> {
    await this.#measuring.stop();
    for (const unfollow of this.#unfollow) unfollow();
    await this.#appending;
  }

  /** A part that is stuck must not refuse the tenants of others. */
  #refusal(part: number): StorageError | null {
    const { partBytes, ageMs, bytes } = this.#limits;
    const own = this.#backlogs.get(part) ?? { bytes: 0, ageMs: 0 };
    if (own.bytes < partBytes && own.ageMs < ageMs && this.bytes < bytes) return null;
    return new StorageError('busy', 'Too much waits to be stored; try again in a moment');
  }

  /** Entries that come while others are being appended share the next commit. */
  #append(entry: NewEntry, isPatient: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...entry, isPatient, resolve, reject });
      this.#appending ??= this.#appendAll().finally(() => (this.#appending = null));
    });
  }

  async #appendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const entries = this.#queue.splice(0, entriesOfCommit);
      try {
        await this.#parts.table.append(entries);
        const parts = [...new Set(entries.map(({ part }) => part))];
        const awaited = [...new Set(entries.filter(({ isPatient }) => isPatient).map(({ part }) => part))];
        for (const part of parts) this.#parts.wake(part, awaited.includes(part));
        this.#parts.notices.publish(entriesChannel, { parts, awaited });
        for (const { resolve } of entries) resolve();
      } catch (error) {
        for (const { reject } of entries) reject(error);
      }
    }
  }

  async #result(id: string, { ms, count, hasLimit }: Wait, promise: Promise<StoreResult>): Promise<StoreResult> {
    const result = await within(ms, promise);
    if (result) return result;
    if (count === null) return { error: new StorageError('slow', 'The change was accepted, but its result is not known yet') };
    if (!hasLimit || (await this.#parts.table.acknowledge(id))) return { outcome: { accepted: count, duplicates: 0, conflicts: [] } };
    // It was applied or refused just now.
    return (await within(ms, promise)) ?? { error: new StorageError('busy', 'The result is not known; send it again') };
  }

  /** Its result did not come. */
  #forget(id: string, began: number): void {
    if (this.#waiting.delete(id)) this.#load.noteResult(performance.now() - began);
  }

  #settle(id: string, result: StoreResult): void {
    this.#waiting.get(id)?.(result);
  }

  #tell(id: string, result: StoreResult): void {
    const { notices } = this.#parts;
    if (Buffer.byteLength(JSON.stringify(result)) < noticeBytesMax - 100) notices.publish(resultsChannel, { id, ...result });
    else if ('outcome' in result) notices.publish(resultsChannel, { id, outcome: { ...result.outcome, conflicts: [] } });
  }
}

/** Null when it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
