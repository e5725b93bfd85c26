/** Writes groups of requests, one transaction each: the only code that changes a telemetry store. */
import type { PreparedBatch, PreparedSpan } from '../../../ingest/prepare/prepared.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { CommitNotice, WriteOutcome } from '../../span-writer.ts';
import { StorageError } from '../../storage-error.ts';
import { Documents } from '../documents.ts';
import type { OpenDatabase } from '../open.ts';
import { RecordReader } from '../record-reader.ts';
import { storageTrouble } from '../sqlite-trouble.ts';
import { BlockBuilder } from './block-builder.ts';
import { Dictionary } from './dictionary.ts';
import { SessionRows } from './session-rows.ts';
import { SpanRows } from './span-rows.ts';
import { TextStore } from './text-store.ts';
import { type Arrival, TraceRows } from './trace-rows.ts';
import { type OpenTrace, Trees } from './trees.ts';

export interface WriteRequest {
  scope: Scope;
  batch: PreparedBatch;
}

export type WriteResult = { outcome: WriteOutcome } | { error: StorageError };

/** A trace touched by the running group, with the spans that arrived for it. */
interface Touched {
  scope: number;
  trace: OpenTrace;
  traceId: string;
  arrived: Map<number, Arrival>;
  /** How many of them show up in lists for the first time. */
  inserted: number;
}

export class Writer {
  readonly #db: OpenDatabase;
  readonly #dictionary: Dictionary;
  readonly #documents: Documents;
  readonly #blocks: BlockBuilder;
  readonly #texts: TextStore;
  readonly #records: RecordReader;
  readonly #spans: SpanRows;
  readonly #traces: TraceRows;
  readonly #sessions: SessionRows;
  readonly #trees: Trees;
  readonly #findScope;
  readonly #addScope;
  readonly #countUp;
  /** Runs a group in BEGIN IMMEDIATE, so that it waits for the lock at once instead of failing half way. */
  readonly #transact;

  constructor(db: OpenDatabase) {
    this.#db = db;
    this.#dictionary = new Dictionary(db);
    this.#documents = new Documents(db);
    this.#blocks = new BlockBuilder(db);
    this.#texts = new TextStore(db, this.#blocks);
    this.#records = new RecordReader(db, (place) => this.#blocks.read(place));
    this.#spans = new SpanRows(db, this.#dictionary, this.#texts, this.#blocks, this.#records);
    this.#traces = new TraceRows(db, this.#dictionary, this.#records, this.#documents);
    this.#sessions = new SessionRows(db);
    this.#trees = new Trees(db);
    this.#findScope = db.prepare<[string, string], number>('SELECT id FROM scope WHERE tenant_id = ? AND app_id = ?').pluck();
    this.#addScope = db.prepare('INSERT INTO scope (tenant_id, app_id) VALUES (?, ?)');
    this.#countUp = db.prepare('UPDATE scope SET trace_count = trace_count + ?, span_count = span_count + ? WHERE id = ?');
    this.#transact = db.transaction((requests: WriteRequest[]) => this.#writeAll(requests));
  }

  /**
   * Stores a group durably; the results stand in the order of the requests. When the group fails for a reason that is not
   * the disk's, its requests are tried one by one, so that only the culprit fails.
   */
  write(requests: WriteRequest[]): { results: WriteResult[]; notices: CommitNotice[] } {
    try {
      const { outcomes, notices } = this.#transact.immediate(requests);
      this.#trees.trim();
      return { results: outcomes.map((outcome) => ({ outcome })), notices };
    } catch (error) {
      this.#forget();
      const trouble = storageTrouble(error);
      const failure = new StorageError(trouble ?? 'io', error instanceof Error ? error.message : String(error));
      if (trouble || requests.length === 1) return { results: requests.map(() => ({ error: failure })), notices: [] };
      const alone = requests.map((request) => this.write([request]));
      return { results: alone.flatMap(({ results }) => results), notices: alone.flatMap(({ notices }) => notices) };
    } finally {
      this.#records.forget();
    }
  }

  #writeAll(requests: WriteRequest[]): { outcomes: WriteOutcome[]; notices: CommitNotice[] } {
    this.#blocks.begin(requests[0]?.batch.received_ms ?? Date.now());
    const touched = new Map<number, Touched>();
    const outcomes = requests.map((request) => this.#writeBatch(request, touched));
    this.#blocks.close();
    const notices = requests.map(({ scope }) => ({ scope, trace_ids: [] as string[], span_count: 0 }));
    const byScope = new Map(requests.map(({ scope }, index) => [this.#scope(scope), notices[index] as CommitNotice]));
    const received_ms = requests[0]?.batch.received_ms ?? Date.now();
    const sessions = new Map<number, number>();
    for (const { scope, trace, traceId, arrived, inserted } of touched.values()) {
      if (arrived.size === 0) continue;
      const visible = this.#traces.save(scope, trace, arrived, received_ms);
      this.#countUp.run(visible ? 1 : 0, inserted, scope);
      for (const { session } of trace.tree.spans.values()) if (session !== 0) sessions.set(session, scope);
      const notice = byScope.get(scope) as CommitNotice;
      notice.trace_ids.push(traceId);
      notice.span_count += arrived.size;
    }
    for (const [session, scope] of sessions) this.#sessions.save(scope, session);
    return { outcomes, notices: notices.filter(({ span_count }) => span_count > 0) };
  }

  #writeBatch({ scope, batch }: WriteRequest, touched: Map<number, Touched>): WriteOutcome {
    const outcome: WriteOutcome = { accepted: 0, duplicates: 0, conflicts: [] };
    const scopeId = this.#scope(scope);
    // Spans of one trace stand together in their block: they are read together, and repeat each other's text.
    for (const [traceId, spans] of Map.groupBy(batch.spans, (span) => span.trace_id)) {
      const { id, fresh } = this.#traces.open(scopeId, traceId);
      const trace = this.#trees.of(id, fresh);
      const entry = touched.get(id) ?? { scope: scopeId, trace, traceId, arrived: new Map(), inserted: 0 };
      touched.set(id, entry);
      for (const span of spans) this.#writeSpan(entry, batch, span, outcome);
    }
    return outcome;
  }

  #writeSpan(touched: Touched, batch: PreparedBatch, span: PreparedSpan, outcome: WriteOutcome): void {
    const { scope, trace, arrived } = touched;
    const before = trace.tree.spans.get(span.span_id);
    if (before && !(before.pending && !span.pending)) {
      if (span.pending || this.#spans.equals(before.row, scope, batch, span)) outcome.duplicates++;
      else
        outcome.conflicts.push(
          `span ${span.span_id} of trace ${span.trace_id}: duplicate_span_conflict, another span with these ids is stored`,
        );
      return;
    }
    const stored = before
      ? this.#spans.replace(before.row, scope, trace.id, batch, span)
      : this.#spans.insert(scope, trace.id, batch, span);
    if (!before && !stored.placeholder) touched.inserted++;
    trace.tree.put(stored);
    arrived.set(stored.row, { batch, span });
    this.#traces.post(scope, trace, span);
    outcome.accepted++;
  }

  #scope({ tenant_id, app_id }: Scope): number {
    return this.#findScope.get(tenant_id, app_id) ?? Number(this.#addScope.run(tenant_id, app_id).lastInsertRowid);
  }

  /** After a rollback nothing remembered may be trusted. */
  #forget(): void {
    this.#dictionary.forget();
    this.#documents.forget();
    this.#texts.forget();
    this.#trees.forget();
  }

  close(): void {
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
    this.#db.close();
  }
}
