/** Writes groups of requests, one transaction each: the only code that changes a telemetry store. */

import type { Allowance } from '../../../ingest/allowance.ts';
import type { Pricing } from '../../../ingest/cost/pricing.ts';
import type { PreparedBatch } from '../../../ingest/prepare/prepared.ts';
import type { WriteOutcome } from '../../../ingest/sink.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RunChange } from '../../runaway/open-runs.ts';
import type { CommitNotice } from '../../span-writer.ts';
import type { StorageError } from '../../storage-error.ts';
import type { TagChange } from '../../trace-tags.ts';
import { Documents } from '../file/documents.ts';
import type { OpenDatabase } from '../file/open.ts';
import { registerResourceKey } from '../file/resource-key.ts';
import { ForwardRows } from '../forward/forward-rows.ts';
import { RecordReader } from '../read/record-reader.ts';
import { SentSpans } from '../read/sent-span.ts';
import { AgentTurns } from './agent-turns.ts';
import { BatchWriter } from './batch-writer.ts';
import { BlockBuilder } from './block-builder.ts';
import { ByteErasure } from './byte-erasure.ts';
import { Compactor } from './compaction.ts';
import { type DeletionParts, Deletions } from './deletions.ts';
import { Dictionary } from './dictionary.ts';
import { Erasure } from './erasure.ts';
import { LogRows } from './log-rows.ts';
import { OtherWriters } from './other-writers.ts';
import { RecordWriter } from './record-writer.ts';
import { ReservedIds } from './reserved-ids.ts';
import { Retention } from './retention.ts';
import { RunawayRows } from './runaway-rows.ts';
import { type ScoreChange, ScoreRows } from './score-rows.ts';
import { SessionRows } from './session-rows.ts';
import { SpanRows } from './span-rows.ts';
import { TagWriter } from './tag-writer.ts';
import { TextStore } from './text-store.ts';
import { TraceRemoval } from './trace-removal.ts';
import { type Touched, TraceRows } from './trace-rows.ts';
import { TraceTerms } from './trace-terms.ts';
import { Trees } from './trees.ts';
import { TurnWriter } from './turn-writer.ts';
import { UnusedNames } from './unused-names.ts';
import { UsageRows } from './usage-rows.ts';
import { byTrace, damagedTrace, failureOf } from './write-failure.ts';
import { type WriterDamage, type WriterEvents, withoutEvents, withoutReports } from './writer-events.ts';
import { joined, refusal, runChange, type WriteResult, type Written } from './written.ts';

/** Write request of one caller: spans and logs, or scores. */
export type WriteRequest = { scope: Scope } & (
  | { batch: PreparedBatch; allowance?: Allowance | null }
  | { change: ScoreChange }
  | { tags: TagChange }
);

type BatchRequest = Extract<WriteRequest, { batch: PreparedBatch }>;

export interface StoredText {
  hash: Buffer;
  bytes: Uint8Array;
}

export class Writer {
  readonly retention: Retention;
  readonly erasure: Erasure;
  readonly compactor: Compactor;
  readonly deletions: Deletions;
  readonly forward: ForwardRows;
  readonly runaways: RunawayRows;
  readonly #db: OpenDatabase;
  readonly #isDamaged: () => boolean;
  readonly #dictionary: Dictionary;
  readonly #documents: Documents;
  readonly #blocks: BlockBuilder;
  readonly #texts: TextStore;
  readonly #records: RecordReader;
  readonly #traces: TraceRows;
  readonly #sessions: SessionRows;
  readonly #trees: Trees;
  readonly #terms: TraceTerms;
  readonly #batches: BatchWriter;
  readonly #scores: ScoreRows;
  readonly #tags: TagWriter;
  readonly #usage: UsageRows;
  readonly #findScope;
  readonly #addScope;
  readonly #countUp;
  readonly #otherWriters: OtherWriters;
  /** Runs a group in BEGIN IMMEDIATE, so that it waits for the lock at once instead of failing half way. */
  readonly #transact;

  constructor(
    db: OpenDatabase,
    pricing: Pricing,
    now: () => number = Date.now,
    damage: WriterDamage = withoutReports,
    events: WriterEvents = withoutEvents,
  ) {
    registerResourceKey(db);
    this.#isDamaged = damage.isDamaged;
    const { damageReporter } = damage;
    this.#db = db;
    this.#dictionary = new Dictionary(db);
    this.#documents = new Documents(db);
    this.#blocks = new BlockBuilder(db);
    this.#texts = new TextStore(db, this.#blocks);
    this.#records = new RecordReader(db, (place) => this.#blocks.read(place));
    const recordWriter = new RecordWriter(this.#texts, this.#blocks);
    const sentSpans = new SentSpans(db, this.#records, this.#documents);
    const spans = new SpanRows(db, this.#dictionary, recordWriter, this.#records);
    const logs = new LogRows(db, recordWriter);
    const turns = new TurnWriter(new AgentTurns(db), logs);
    this.#sessions = new SessionRows(db, damageReporter);
    this.#trees = new Trees(db, logs, damageReporter);
    const removal = new TraceRemoval(db, this.#trees, this.#sessions);
    this.deletions = new Deletions(db, this.#deletionParts(removal, now), now, events);
    this.#traces = new TraceRows(db, this.#dictionary, sentSpans, this.deletions);
    this.#terms = new TraceTerms(db, this.#dictionary);
    this.#scores = new ScoreRows(db);
    this.#tags = new TagWriter(db, { traces: this.#traces, terms: this.#terms, trees: this.#trees });
    this.#batches = new BatchWriter({
      traces: this.#traces,
      terms: this.#terms,
      trees: this.#trees,
      spans,
      logs,
      turns,
      scores: this.#scores,
      sentSpans,
      pricing,
    });
    this.retention = new Retention(db, this.#records, removal, now);
    this.erasure = new Erasure(db, removal, () => this.#forget(), now);
    this.compactor = new Compactor(db, new UnusedNames(db, 'compaction', () => this.#forgetNames()), events.compacted);
    this.#usage = new UsageRows(db);
    this.runaways = new RunawayRows(db, (scope) => this.#scope(scope));
    this.forward = new ForwardRows(db, (scope) => this.#scope(scope), now);
    this.#findScope = db.prepare<[string, string], number>('SELECT id FROM scope WHERE tenant_id = ? AND app_id = ?').pluck();
    this.#addScope = db.prepare('INSERT INTO scope (tenant_id, app_id) VALUES (?, ?)');
    this.#countUp = db.prepare('UPDATE scope SET trace_count = trace_count + ?, span_count = span_count + ? WHERE id = ?');
    this.#otherWriters = new OtherWriters(db);
    this.#transact = db.transaction((requests: WriteRequest[]) => this.#writeAll(requests));
  }

  #deletionParts(removal: TraceRemoval, now: () => number): DeletionParts {
    return {
      removal,
      sessions: this.#sessions,
      ids: new ReservedIds(this.#db, this.#blocks, now),
      bytes: new ByteErasure(this.#db, this.#records, this.#texts, removal),
      names: new UnusedNames(this.#db, 'deletion', () => this.#forgetNames()),
    };
  }

  /**
   * Stores a group durably; results are in the order of the requests. When the group fails for any reason other than the disk, its requests are
   * retried one by one, and a request with damage trace by trace, so that only the cause fails.
   */
  write(requests: WriteRequest[]): Written {
    try {
      const written = this.#transact.immediate(requests);
      this.#trees.trim();
      this.#sessions.trim();
      return written;
    } catch (error) {
      this.#forget();
      const failure = failureOf(error, this.#isDamaged());
      const affectsAll = failure.errorKind !== 'mistake' && failure.errorKind !== 'corrupt';
      if (affectsAll) return { results: requests.map(() => ({ error: failure })), notices: [], runs: [] };
      const [request] = requests as [WriteRequest];
      if (requests.length === 1) return failure.errorKind === 'corrupt' ? this.#writeByTrace(request, failure) : refusal(failure);
      const retried = requests.map((single) => this.write([single]));
      return joined(retried);
    } finally {
      this.#records.forget();
    }
  }

  /** Writes a request trace by trace. Parts of damaged traces are rejected with a reason; when every trace fails, so does the request. */
  #writeByTrace(request: WriteRequest, failure: StorageError): Written {
    const parts = 'batch' in request ? byTrace(request.batch) : [];
    if (!('batch' in request) || parts.length < 2) return refusal(failure);
    const all: Written[] = [];
    const outcome: WriteOutcome = { accepted: 0, duplicates: 0, conflicts: [] };
    let isAnyWritten = false;
    for (const part of parts) {
      const written = this.write([{ ...request, batch: part }]);
      const [result] = written.results as [WriteResult];
      if ('spent' in result) return { ...joined(all), results: [result] };
      if ('error' in result) {
        if (result.error.errorKind !== 'corrupt') return refusal(result.error);
        outcome.conflicts.push(...part.spans.map(damagedTrace), ...part.logs.map(damagedTrace));
        continue;
      }
      isAnyWritten = true;
      outcome.accepted += result.outcome.accepted;
      outcome.duplicates += result.outcome.duplicates;
      outcome.conflicts.push(...result.outcome.conflicts);
      all.push(written);
    }
    return isAnyWritten ? { ...joined(all), results: [{ outcome }] } : refusal(failure);
  }

  #writeAll(requests: WriteRequest[]): Written {
    if (this.#otherWriters.haveCommitted()) this.#forget();
    const received_ms = requests.find((request) => 'batch' in request)?.batch.received_ms ?? Date.now();
    this.#blocks.begin(received_ms);
    const touched = new Map<number, Touched>();
    const results = requests.map((request): WriteResult => {
      if ('batch' in request) return this.#writeBatch(request, touched);
      const scope = this.#scope(request.scope);
      const outcome = 'tags' in request ? this.#tags.apply(scope, request.tags, touched) : this.#scores.apply(scope, request.change);
      return { outcome };
    });
    this.#blocks.close();
    const notices = new Map(requests.map(({ scope }) => [this.#scope(scope), { scope, trace_ids: [], span_count: 0 } as CommitNotice]));
    const runs: RunChange[] = [];
    const counts = new Map<number, { traces: number; spans: number }>();
    for (const entry of touched.values()) {
      const { scope, trace, traceId, arrived, inserted, isTagged } = entry;
      if (arrived.size === 0 && !isTagged) continue;
      for (const session of this.#batches.retract(entry, received_ms)) this.#sessions.drop(scope, session, trace);
      const { rollup, appeared } = this.#traces.save(scope, trace, arrived, received_ms);
      if (rollup) for (const session of rollup.sessions) this.#sessions.put(scope, session, trace, rollup);
      const { traces, spans } = counts.get(scope) ?? { traces: 0, spans: 0 };
      counts.set(scope, { traces: traces + appeared, spans: spans + inserted });
      const notice = notices.get(scope) as CommitNotice;
      notice.trace_ids.push(traceId);
      notice.span_count += arrived.size;
      if (rollup && entry.steps.length > 0) runs.push(runChange(entry, rollup, notice.scope, received_ms));
    }
    for (const [scope, { traces, spans }] of counts) this.#countUp.run(traces, spans, scope);
    this.#sessions.save();
    this.#terms.moveRecent();
    return { results, notices: [...notices.values()].filter(({ trace_ids }) => trace_ids.length > 0), runs };
  }

  #writeBatch({ scope, batch, allowance }: BatchRequest, touched: Map<number, Touched>): WriteResult {
    const row = this.#scope(scope);
    if (!allowance) return { outcome: this.#batches.write(row, scope, batch, touched) };
    const { spans, changesAnything } = this.#batches.newIn(row, batch);
    const addition = { tenant_id: scope.tenant_id, received_ms: batch.received_ms, spans, bytes: changesAnything ? batch.bytes.length : 0 };
    const spent = this.#usage.exceededLimit(addition, allowance);
    if (spent) return { spent };
    const before = this.#blocks.bytes;
    const outcome = this.#batches.write(row, scope, batch, touched);
    // Texts that were already stored are not counted again.
    this.#usage.add({ ...addition, bytes: this.#blocks.bytes - before });
    return { outcome };
  }

  #scope({ tenant_id, app_id }: Scope): number {
    return this.#findScope.get(tenant_id, app_id) ?? Number(this.#addScope.run(tenant_id, app_id).lastInsertRowid);
  }

  /** Stores texts ahead of a write that has them, so that it does not count them. */
  storeTexts(scope: Scope, received_ms: number, texts: readonly StoredText[]): void {
    const store = this.#db.transaction(() => {
      const row = this.#scope(scope);
      this.#blocks.begin(received_ms);
      for (const { hash, bytes } of texts) this.#texts.store(row, hash, bytes);
      this.#blocks.close();
    });
    store.immediate();
  }

  /** Starts to list the traces of a deletion. */
  beginDeletion(scope: Scope, id: string): void {
    this.deletions.begin(this.#scope(scope), id);
  }

  /** Adds traces, by row, to a deletion. */
  addToDeletion(scope: Scope, id: string, traces: readonly number[]): void {
    this.deletions.add(this.#scope(scope), id, traces);
  }

  /** Durably marks an app for erasure, which happens gradually. */
  erase(scope: Scope): void {
    this.erasure.begin(this.#scope(scope));
  }

  /** Call after a rollback: cached values may be wrong. */
  #forget(): void {
    this.#forgetNames();
    this.#texts.forget();
    this.#trees.forget();
    this.#terms.forget();
    this.#sessions.forget();
  }

  #forgetNames(): void {
    this.#dictionary.forget();
    this.#documents.forget();
  }

  close(): void {
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    this.#db.close();
  }
}
