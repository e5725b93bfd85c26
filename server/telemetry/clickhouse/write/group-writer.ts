/**
 * The one writer of the apps of a store. It keeps a copy of the traces in progress, writes each group of requests to it, and inserts what that
 * changed. When an insert fails, the copy is thrown away, so that it never is ahead of what is stored.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PriceOverrides } from '../../../ingest/cost/own-prices.ts';
import { exportedSpansIn, historyTurnsIn } from '../../../ingest/prepare/history-turns.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RunChange } from '../../runaway/open-runs.ts';
import type { CommitNotice } from '../../span-writer.ts';
import { DeferredText } from '../../sqlite/read/unread-text.ts';
import type { WriteRequest } from '../../sqlite/write/writer.ts';
import type { WriteResult } from '../../sqlite/write/written.ts';
import { StorageError } from '../../storage-error.ts';
import { BlobsAway } from '../blobs/text-blobs.ts';
import { ExportedRows } from '../loaded/exported-rows.ts';
import { LoadedTraces, type StoredTraces } from '../loaded/loaded-traces.ts';
import { textsOf } from '../loaded/replay.ts';
import type { AppChanges, WrittenBatch } from '../loaded/sent-items.ts';
import type { ReadTexts, StoredTraceReader } from '../stored-traces.ts';
import type { Inserts } from './inserts.ts';
import type { InterruptedCommits } from './interrupted-commits.ts';
import type { TenantUsage } from './tenant-usage.ts';
import { UncountedSteps } from './uncounted-steps.ts';
import { commitRow, type UsageRow } from './usage-rows.ts';
import type { Commits } from './versions.ts';
import { writeFailure } from './write-failure.ts';

/** Copies of more spans are thrown away between two groups. */
const spansMax = 50_000;
/** A group has at most so many spans, unless its first request has more. */
const groupSpansMax = 5000;

/** How many failures of a group that takes the database too long are tried to narrow down: more than it takes to find one request that is to blame. */
const slowTriesMax = 12;

/** How many failures of a group may still come before it is no longer divided. */
interface Tries {
  slow: number;
}

interface Waiting {
  request: WriteRequest;
  resolve(result: WriteResult): void;
}

export class GroupWriter {
  readonly #prices: PriceOverrides;
  readonly #stored: StoredTraceReader;
  readonly #inserts: Inserts;
  readonly #interrupted: InterruptedCommits;
  readonly #uncounted = new UncountedSteps();
  readonly #usage: TenantUsage;
  readonly #commits: Commits;
  readonly #onCommit: (notice: CommitNotice) => void;
  readonly #onRuns: (runs: readonly RunChange[]) => void;
  /** Set once, before anything is written. */
  deleted: DeletedTraces | null = null;
  #copy: { traces: LoadedTraces; rows: ExportedRows } | null = null;
  #queue: Waiting[] = [];
  #running: Promise<void> | null = null;

  constructor({ stored, inserts, interrupted, usage, commits, prices, onCommit, onRuns }: GroupWriterParts) {
    this.#prices = prices;
    this.#stored = stored;
    this.#inserts = inserts;
    this.#interrupted = interrupted;
    this.#usage = usage;
    this.#commits = commits;
    this.#onCommit = onCommit;
    this.#onRuns = onRuns;
  }

  write(request: WriteRequest): Promise<WriteResult> {
    return new Promise((resolve) => {
      this.#queue.push({ request, resolve });
      this.#running ??= this.#run().finally(() => (this.#running = null));
    });
  }

  /** Runs alone, between two groups; the copy is thrown away after it. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    for (; this.#running; ) await this.#running;
    const run = work().finally(() => this.#forget());
    this.#running = run.then(() => {}).catch(() => {});
    try {
      return await run;
    } finally {
      this.#running = null;
      if (this.#queue.length > 0) this.#running = this.#run().finally(() => (this.#running = null));
    }
  }

  /** Call it before anything of a tenant is read in order to change it. @throws StorageError while an insert that failed may still be running */
  async undoInterrupted(tenant: string): Promise<void> {
    // What is read would miss what is inserted meanwhile.
    await this.#usage.settle();
    await this.#interrupted.undo(tenant).catch((error: unknown) => {
      this.#usage.forget();
      throw error;
    });
  }

  async stop(): Promise<void> {
    for (; this.#running; ) await this.#running;
    this.#forget();
  }

  async #run(): Promise<void> {
    // Requests of one message come in one turn of the event loop, and are written together.
    await nextTurn();
    while (this.#queue.length > 0) {
      const group = this.#takeGroup();
      const results = await this.#writeGroup(group.map(({ request }) => request));
      group.forEach(({ resolve }, index) => {
        resolve(results[index] ?? { error: new StorageError('mistake', 'A request of a group has no result') });
      });
    }
  }

  #takeGroup(): Waiting[] {
    let spans = 0;
    const end = this.#queue.findIndex(({ request }, index) => {
      spans += 'batch' in request ? request.batch.spans.length + request.batch.logs.length : 1;
      return index > 0 && spans > groupSpansMax;
    });
    return this.#queue.splice(0, end < 0 ? this.#queue.length : end);
  }

  async #writeGroup(
    requests: readonly WriteRequest[],
    tries: Tries = { slow: slowTriesMax },
    texts: ReadTexts = 'deferred',
  ): Promise<WriteResult[]> {
    try {
      for (const tenant of new Set(requests.map(({ scope }) => scope.tenant_id))) await this.undoInterrupted(tenant);
      const { traces, rows } = await this.#load(requests, texts);
      await this.#addStoredTexts(traces, requests);
      const usageBefore = await this.#usage.put(traces.db, requests);
      const { results, notices, runs } = traces.write([...requests]);
      for (const result of results) if ('error' in result && result.error instanceof DeferredText) throw result.error;
      const written = writtenBatches(requests, results);
      const changes = rows.take(written, this.#commits.nextArrival);
      const usage = this.#usage.added(traces.db, usageBefore);
      await this.#commit(changes, usage).catch((error: unknown) => {
        // Nothing is inserted before its blobs.
        if (!(error instanceof BlobsAway)) {
          this.#interrupted.expect(requests.map(({ scope }) => scope.tenant_id));
          this.#uncounted.keep(runs);
        }
        throw error;
      });
      for (const notice of notices) this.#onCommit(notice);
      this.#onRuns(this.#uncounted.addTo(runs, written));
      if (traces.spanCount > spansMax) this.#forget();
      return results;
    } catch (error) {
      this.#forget();
      this.#usage.forget();
      if (error instanceof DeferredText && texts === 'deferred') return this.#writeGroup(requests, tries, 'all');
      const failure = writeFailure(error);
      if (failure.errorKind === 'slow') tries.slow--;
      if (requests.length === 1 || !isDivided(failure, tries)) return requests.map(() => ({ error: failure }));
      return this.#writeParts(requests, failure, tries);
    }
  }

  /** Only the requests fail that a bug or damage concerns, that are too large for the database, or that need the blob store. */
  async #writeParts(requests: readonly WriteRequest[], failure: StorageError, tries: Tries): Promise<WriteResult[]> {
    const results = new Map<WriteRequest, WriteResult>();
    for (const part of this.#partsOf(requests, failure)) {
      const written = await this.#writeGroup(part, tries);
      part.forEach((request, index) => void results.set(request, written[index] as WriteResult));
    }
    return requests.map((request) => results.get(request) as WriteResult);
  }

  /** In the order of arrival, unless the blob store is away: then what does not need it goes first. */
  #partsOf(requests: readonly WriteRequest[], failure: StorageError): (readonly WriteRequest[])[] {
    if (failure instanceof BlobsAway) {
      const needsBlobs = (request: WriteRequest) => 'batch' in request && this.#inserts.storesBlobs(request);
      const others = requests.filter((request) => !needsBlobs(request));
      // Unless one of them reads a blob, all others succeed together.
      const together = others.length < requests.length ? others : [];
      const alone = requests.filter((request) => !together.includes(request)).map((request) => [request]);
      return together.length > 0 ? [together, ...alone] : alone;
    }
    const middle = Math.ceil(requests.length / 2);
    return [requests.slice(0, middle), requests.slice(middle)];
  }

  async #commit(changes: AppChanges[], usage: UsageRow[]): Promise<void> {
    const { lastArrival, generation } = this.#commits;
    const tenants = new Set([...changes.map(({ scope }) => scope.tenant_id), ...usage.map(({ tenant_id }) => tenant_id)]);
    const ended = [...tenants].map((tenant) => commitRow(tenant, lastArrival));
    if (ended.length > 0) await this.#inserts.commit(this.#commits.next(), changes, [...usage, ...ended], generation);
    this.#usage.keep(usage);
  }

  async #load(requests: readonly WriteRequest[], texts: ReadTexts) {
    const traces = this.#copy?.traces ?? new LoadedTraces(this.#prices);
    this.#copy ??= { traces, rows: new ExportedRows(traces.db, traces.changes) };
    for (const [, ofApp] of Map.groupBy(requests, ({ scope }) => JSON.stringify([scope.tenant_id, scope.app_id]))) {
      const scope = (ofApp[0] as WriteRequest).scope;
      const { traceIds, conversations } = touchedBy(ofApp);
      const missing = traceIds.filter((id) => !traces.has(scope, id));
      const unread = conversations.filter((id) => !traces.hasConversation(scope, id));
      if (missing.length === 0 && unread.length === 0) continue;
      const found = await this.#readWithoutDeleted(scope, missing, unread, texts);
      const isMissing = (id: string) => !traces.has(scope, id);
      traces.load(scope, {
        ...found,
        trace_ids: found.trace_ids.filter(isMissing),
        records: found.records.filter(({ trace_id }) => isMissing(trace_id)),
        places: found.places.filter(({ trace_id }) => isMissing(trace_id)),
      });
      traces.noteConversations(scope, unread);
    }
    return this.#copy;
  }

  /** Texts may be stored by traces that the copy does not have. */
  async #addStoredTexts(traces: LoadedTraces, requests: readonly WriteRequest[]): Promise<void> {
    const batches = requests.filter((request) => 'batch' in request);
    for (const [, ofApp] of Map.groupBy(batches, ({ scope }) => JSON.stringify([scope.tenant_id, scope.app_id]))) {
      const { scope } = ofApp[0] as WriteRequest;
      const hashes = ofApp.flatMap(({ batch }) => textsOf(batch).map(({ hash }) => hash.toString('hex')));
      if (hashes.length === 0) continue;
      const isStored = await this.#inserts.storedTexts(scope, hashes);
      for (const request of ofApp) traces.addTexts(request, isStored);
    }
  }

  /** Deleted traces are removed before something new arrives for their ids. No copy has them: it was thrown away when the deletion began. */
  async #readWithoutDeleted(
    scope: Scope,
    traceIds: readonly string[],
    conversations: readonly string[],
    texts: ReadTexts,
  ): Promise<StoredTraces> {
    const found = await this.#stored.readForWrite(scope, traceIds, conversations, texts);
    const ids = new Set([...traceIds, ...found.places.map(({ trace_id }) => trace_id)]);
    const deleted = [...ids].filter((id) => this.deleted?.has(scope, id));
    if (deleted.length === 0) return found;
    await this.deleted?.remove(scope, deleted);
    return this.#readWithoutDeleted(scope, traceIds, conversations, texts);
  }

  #forget(): void {
    this.#copy?.traces.close();
    this.#copy = null;
  }
}

/** Whether some requests of a group may succeed without the others. In a busy database everything is slow, so this is not tried for long. */
const isDivided = (failure: StorageError, tries: Readonly<Tries>): boolean =>
  failure.errorKind === 'mistake' || failure.isOfOne || (failure.errorKind === 'slow' && tries.slow >= 0);

/** Traces of accepted deletions that are not removed yet. */
export interface DeletedTraces {
  has(scope: Scope, traceId: string): boolean;
  /** Resolves when they are removed. */
  remove(scope: Scope, traceIds: readonly string[]): Promise<void>;
}

export interface GroupWriterParts {
  stored: StoredTraceReader;
  inserts: Inserts;
  interrupted: InterruptedCommits;
  usage: TenantUsage;
  commits: Commits;
  prices: PriceOverrides;
  onCommit(notice: CommitNotice): void;
  /** What the commit added to each run. Must not throw: the commit is stored. */
  onRuns(runs: readonly RunChange[]): void;
}

function writtenBatches(requests: readonly WriteRequest[], results: readonly WriteResult[]): WrittenBatch[] {
  return requests.flatMap((request, index): WrittenBatch[] => {
    const result = results[index];
    return 'batch' in request && result && 'outcome' in result ? [request] : [];
  });
}

function touchedBy(requests: readonly WriteRequest[]): { traceIds: string[]; conversations: string[] } {
  const traceIds = new Set<string>();
  const conversations = new Set<string>();
  for (const request of requests) {
    if ('tags' in request) for (const id of request.tags.trace_ids) traceIds.add(id);
    if (!('batch' in request)) continue;
    for (const { trace_id } of request.batch.spans) traceIds.add(trace_id);
    for (const { turn } of historyTurnsIn(request.batch)) conversations.add(turn.conversation);
    for (const { conversation } of exportedSpansIn(request.batch)) conversations.add(conversation);
    for (const { trace_id, turn } of request.batch.logs) {
      if (trace_id !== '') traceIds.add(trace_id);
      if (turn) conversations.add(turn.conversation);
    }
  }
  return { traceIds: [...traceIds], conversations: [...conversations] };
}
