/** Applies the changes of the tenants that this process owns. */
import { StorageError } from '../../storage-error.ts';
import type { StoreRequest, StoreResult } from '../../store-requests.ts';
import type { AppErasure } from './app-erasure.ts';
import { BackgroundWork } from './background-work.ts';
import type { Deletions } from './deletions.ts';
import type { FencedDeletes } from './fenced-deletes.ts';
import type { GroupWriter } from './group-writer.ts';
import type { RunawayGuard } from './runaway-guard.ts';
import type { ScoreWriter } from './score-writer.ts';
import { WaitingChanges } from './waiting-changes.ts';
import { writeFailure } from './write-failure.ts';

interface Parts {
  writer: GroupWriter;
  scores: ScoreWriter;
  deletions: Deletions;
  erasure: AppErasure;
  runaways: RunawayGuard;
  /** Otherwise nothing is said about runs: what is written was received before, by a gateway that watched. */
  watchesRuns: boolean;
  deletes: FencedDeletes;
  /** Makes the order of arrival go on after what is stored. */
  startAboveStored(): Promise<void>;
  onFailure(event: string, key: string, error: unknown): void;
}

export class TenantWriter {
  readonly #parts: Parts;
  /** What an earlier writer began is known before anything is written. */
  #resumed: Promise<unknown> | null = null;
  #isStopping = false;
  /** The last change that ran alone, and the batches that run now. */
  #alone: Promise<void> = Promise.resolve();
  readonly #together = new Set<Promise<void>>();
  readonly #waiting = new WaitingChanges();
  readonly #resuming: BackgroundWork;

  constructor(parts: Parts) {
    this.#parts = parts;
    // Without a write, too: accepted deletions wait for it.
    this.#resuming = new BackgroundWork({
      step: () => this.#resume().then(() => false),
      onFailure: (_, error) => {
        // Another gateway writes for these tenants now: this writer ends soon.
        const isOvertaken = error instanceof StorageError && error.errorKind === 'stopping';
        if (!isOvertaken) parts.onFailure('writer_not_resumed', '', error);
      },
    });
    this.#resuming.start('');
  }

  /** @param number of its entry in a journal, which is applied again after a failure; null for one of no journal */
  write(request: StoreRequest, number: number | null): Promise<StoreResult> {
    if (this.#isStopping) return Promise.resolve({ error: new StorageError('stopping', 'The store is being closed') });
    // What is not a batch sees all earlier batches, and but for tags none that is later.
    const isAlone = request.kind !== 'batch' && request.kind !== 'tags';
    const before = request.kind === 'batch' ? this.#alone : Promise.all([this.#alone, ...this.#together]);
    const written = before
      .then(() => this.#resume())
      .then(() => (number === null ? null : this.#waiting.refusal(request, number)) ?? this.#apply(request))
      .catch((error: unknown): StoreResult => ({ error: writeFailure(error) }))
      .then((result) => {
        if (number !== null) this.#waiting.note(request.scope, number, result);
        return result;
      });
    const ended = written.then(() => {});
    if (isAlone) this.#alone = ended;
    else {
      this.#together.add(ended);
      void ended.then(() => this.#together.delete(ended));
    }
    return written;
  }

  /** The entry of a journal is not applied again. */
  giveUp(number: number): void {
    this.#waiting.forget(number);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const { deletions, erasure, writer, runaways } = this.#parts;
    await this.#resuming.stop();
    await this.#resumed?.catch(() => {});
    await Promise.all([deletions.stop(), erasure.stop()]);
    await writer.stop();
    await runaways.stop();
  }

  /** A failure is tried again with the next write. */
  #resume(): Promise<unknown> {
    const { deletes, deletions, erasure, runaways, watchesRuns, startAboveStored } = this.#parts;
    this.#resumed ??= deletes
      .begin()
      // What these write has an order of arrival.
      .then(startAboveStored)
      .then(() => Promise.all([deletions.resume(), erasure.resume(), watchesRuns && runaways.resume()]))
      .catch((error: unknown) => {
        this.#resumed = null;
        throw error;
      });
    return this.#resumed;
  }

  async #apply(request: StoreRequest): Promise<StoreResult> {
    const { scope } = request;
    const { writer, scores, deletions, erasure, runaways } = this.#parts;
    if (erasure.has(scope)) return discarded(request);
    switch (request.kind) {
      case 'batch':
        return writer.write({ scope, batch: request.batch, ...(request.allowance && { allowance: request.allowance }) });
      case 'tags':
        return writer.write({ scope, tags: request.tags });
      case 'scores':
        return { value: await writer.alone(() => scores.insert(scope, request.scores, request.attribution)) };
      case 'score removal':
        return { value: await writer.alone(() => scores.remove(scope, request.id)) };
      case 'deletion':
        return { value: await deletions.begin(scope, request.id, request.selection) };
      case 'erasure':
        await erasure.begin(scope);
        return { value: null };
      case 'runaway threshold':
        await runaways.setThreshold(scope, request.change);
        return { value: null };
    }
  }
}

/** What arrives for an erased app is erased at once. */
function discarded(request: StoreRequest): StoreResult {
  if (request.kind === 'batch') {
    const { spans, logs } = request.batch;
    return { outcome: { accepted: spans.length + logs.length, duplicates: 0, conflicts: [] } };
  }
  if (request.kind === 'tags') return { outcome: { accepted: 0, duplicates: 0, conflicts: [] } };
  if (request.kind === 'scores') return { value: request.scores.length };
  if (request.kind === 'score removal') return { value: false };
  return { value: null };
}
