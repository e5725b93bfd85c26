/** Writes the spans and log records of one request into the running transaction. */

import { isPlaceholder } from '../../../ingest/agent-records/agent-span.ts';
import { turnSpanId } from '../../../ingest/agent-records/turn-record.ts';
import type { Pricing } from '../../../ingest/cost/pricing.ts';
import type { SpanData } from '../../../ingest/otlp/raw-span.ts';
import { deriveColumns } from '../../../ingest/prepare/derive-columns.ts';
import { isExported, isExportScope } from '../../../ingest/prepare/history-turns.ts';
import { BatchBuilder, callHashes } from '../../../ingest/prepare/prepare.ts';
import type { PreparedBatch, PreparedLog, PreparedSpan, SpanColumns } from '../../../ingest/prepare/prepared.ts';
import { spanDataOf } from '../../../ingest/prepare/span-data-of.ts';
import { withoutUsage } from '../../../ingest/prepare/without-usage.ts';
import type { WriteOutcome } from '../../../ingest/sink.ts';
import type { EnvironmentAttribution } from '../../../platform/environment-attribution.ts';
import type { Scope } from '../../../platform/scope.ts';
import { readOrWhy } from '../file/damaged.ts';
import type { SentSpans } from '../read/sent-span.ts';
import { requireText } from '../read/unread-text.ts';
import { scoresOf } from './evaluation-scores.ts';
import type { LogRows } from './log-rows.ts';
import type { ScoreRows } from './score-rows.ts';
import type { SpanRows } from './span-rows.ts';
import type { StoredTreeSpan } from './stored-tree.ts';
import type { Touched, TraceRows } from './trace-rows.ts';
import { hasAllTerms, type TraceTerms } from './trace-terms.ts';
import type { Trees } from './trees.ts';
import { isPlacedByTurn, type SpanWork, type TurnWriter } from './turn-writer.ts';

interface Stores {
  traces: TraceRows;
  terms: TraceTerms;
  trees: Trees;
  spans: SpanRows;
  logs: LogRows;
  scores: ScoreRows;
  turns: TurnWriter;
  sentSpans: SentSpans;
  pricing: Pricing;
}

export class BatchWriter {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** @param app app of the scope: score ids are unique within it */
  write(scope: number, app: Scope, batch: PreparedBatch, touched: Map<number, Touched>): WriteOutcome {
    const refused = new Set<string>();
    const outcome: WriteOutcome = { accepted: 0, duplicates: 0, conflicts: [] };
    // Spans of one trace share a block, because they are read together and have text in common.
    for (const [traceId, spans] of Map.groupBy(batch.spans, (span) => span.trace_id)) {
      const entry = this.#touch(scope, traceId, touched);
      for (const span of spans) if (!this.#writeSpan(entry, batch, span, outcome)) refused.add(`${traceId} ${span.span_id}`);
      const turn = entry.trace.logged.size > 0 ? turnSpanId(traceId, 'turn') : '';
      if (entry.trace.logged.has(turn)) this.#extend(entry, turn);
    }
    const withSpan = batch.logs.filter((log) => !isPlacedByTurn(log));
    for (const [traceId, logs] of Map.groupBy(withSpan, (log) => log.trace_id)) {
      this.#writeLogs(this.#touch(scope, traceId, touched), batch, logs, outcome);
    }
    this.#stores.turns.write(scope, batch, this.#spanWork(scope, batch, touched), outcome);
    const insert = scoresOf(app, batch, ({ trace_id, span_id }) => refused.has(`${trace_id} ${span_id}`));
    if (insert.length > 0) this.#stores.scores.apply(scope, { insert, remove: [], attribution: batch.attribution });
    return outcome;
  }

  /** Number of new spans in a batch, and whether it has anything new. Changes nothing. */
  newIn(scope: number, { spans, logs }: PreparedBatch): { spans: number; changesAnything: boolean } {
    const { traces, trees, logs: logRows } = this.#stores;
    let count = 0;
    let changesAnything = false;
    for (const [traceId, sent] of Map.groupBy(spans, (span) => span.trace_id)) {
      const row = traces.find(scope, traceId);
      const stored = row === undefined ? null : trees.of(row, false).tree.spans;
      count += new Set(sent.map(({ span_id }) => span_id).filter((id) => !stored?.has(id))).size;
      changesAnything ||= sent.some(({ span_id, pending }) => !pending && stored?.get(span_id)?.pending);
    }
    for (const log of logs) {
      const row = traces.find(scope, log.trace_id);
      const has = isPlacedByTurn(log)
        ? this.#stores.turns.has(scope, log, (traceId) => traces.find(scope, traceId))
        : row !== undefined && logRows.has(row, log);
      changesAnything ||= !has;
    }
    return { spans: count, changesAnything: changesAnything || count > 0 };
  }

  #touch(scope: number, traceId: string, touched: Map<number, Touched>): Touched {
    const { id, isNew } = this.#stores.traces.open(scope, traceId);
    const existing = touched.get(id);
    if (existing) return existing;
    const entry: Touched = {
      scope,
      trace: this.#stores.trees.of(id, isNew),
      traceId,
      arrived: new Map(),
      inserted: 0,
      replaced: [],
      isTagged: false,
      steps: [],
      isTurn: false,
    };
    touched.set(id, entry);
    return entry;
  }

  #spanWork(scope: number, batch: PreparedBatch, touched: Map<number, Touched>): SpanWork {
    return {
      touch: (traceId) => this.#touch(scope, traceId, touched),
      rederive: (spans, change) => {
        const stored = spans.map(({ entry, spanId }) => ({ entry, span: entry.trace.tree.spans.get(spanId) }));
        const previous = stored.map(({ span }) => (span ? this.#storedColumns(span, batch.received_ms) : null));
        change();
        for (const [at, { entry, span }] of stored.entries()) {
          if (span) this.#rederive(entry, span, previous[at] ?? null, batch.received_ms);
        }
      },
      create: (entry, span) => {
        const builder = new BatchBuilder(this.#stores.pricing, batch.received_ms, batch.attribution);
        builder.add({ ...span, warnings: [] });
        const built = builder.finish();
        for (const prepared of built.spans) this.#writeSpan(entry, built, prepared, { accepted: 0, duplicates: 0, conflicts: [] });
      },
      extend: (entry, spanId) => this.#extend(entry, spanId),
    };
  }

  /** A root that was sent keeps its own times: what records tell may move to another trace when more is known. */
  #extend(entry: Touched, spanId: string): void {
    const { trace } = entry;
    const span = trace.tree.spans.get(spanId);
    if (span) entry.isTurn = true;
    const extent = span && !span.placeholder && this.#isFromRecords(span) ? trace.tree.extent() : null;
    if (span && extent) trace.tree.put(this.#stores.spans.extend(span, extent));
  }

  /** Whether the content of a stored span comes from log records. A span that was sent replaces it. */
  #isFromRecords({ row }: StoredTreeSpan): boolean {
    const { value: read } = readOrWhy(() => this.#stores.traces.sentSpan(row, false));
    return read ? isPlaceholder(read.sent) : false;
  }

  /** False when another span has its ids. */
  #writeSpan(touched: Touched, batch: PreparedBatch, arrived: PreparedSpan, outcome: WriteOutcome): boolean {
    const { spans } = this.#stores;
    const { scope, trace } = touched;
    const before = trace.tree.spans.get(arrived.span_id);
    if (before && !(before.pending && !arrived.pending)) {
      // A damaged span cannot be compared, so it counts as a conflict.
      const isSame = arrived.pending || readOrWhy(() => spans.equals(before.row, scope, batch, arrived)).value;
      const replaces = isSame === false && this.#isFromRecords(before);
      if (isSame) outcome.duplicates++;
      else if (!replaces) outcome.conflicts.push(conflict(arrived));
      if (!replaces) return isSame === true;
    }
    const previous = before ? this.#storedColumns(before, batch.received_ms) : null;
    const logged = trace.logged.has(arrived.span_id);
    const sent = () => ({
      ...spanDataOf(batch, arrived, requireText),
      ...(logged ? { logs: this.#stores.sentSpans.logsOf(trace.id, arrived) } : {}),
    });
    // One whose records or texts cannot be read has the columns of the span alone.
    const { value: whole } = logged ? readOrWhy(sent) : { value: null };
    const derived = whole ? this.#withLogs(arrived, whole, batch) : arrived;
    const span = isExported(batch, arrived) && this.#isOfReadTurn(touched) ? { ...derived, ...withoutUsage } : derived;
    const stored = before
      ? spans.replace(before.row, scope, trace.id, batch, span, logged)
      : spans.insert(scope, trace.id, batch, span, logged);
    if (!stored.placeholder && (!before || before.placeholder)) touched.inserted++;
    trace.tree.put(stored);
    touched.arrived.set(stored.row, { preview: span.preview, sent });
    this.#indexTerms(touched, span, previous);
    touched.steps.push(span);
    outcome.accepted++;
    return true;
  }

  #withLogs(arrived: PreparedSpan, sent: SpanData, { attribution, received_ms }: PreparedBatch): PreparedSpan {
    const columns = this.#columnsOf({ sent, attribution }, received_ms);
    return { ...arrived, ...columns, ...callHashes(sent, columns) };
  }

  #writeLogs(touched: Touched, batch: PreparedBatch, logs: PreparedLog[], outcome: WriteOutcome): void {
    const { trace, scope } = touched;
    for (const [spanId, records] of Map.groupBy(logs, (log) => log.span_id)) {
      const before = trace.tree.spans.get(spanId);
      const previous = before ? this.#storedColumns(before, batch.received_ms) : null;
      const added = records.filter((log) => this.#stores.logs.insert(scope, trace.id, batch, log)).length;
      outcome.accepted += added;
      outcome.duplicates += records.length - added;
      if (added === 0) continue;
      trace.logged.add(spanId);
      if (before) this.#rederive(touched, before, previous, batch.received_ms);
    }
  }

  /** Updates row, trace and terms of a stored span after log records arrived for it. */
  #rederive(touched: Touched, before: StoredTreeSpan, previous: SpanColumns | null, received_ms: number): void {
    const { spans, traces, sentSpans } = this.#stores;
    const { value: read } = readOrWhy(() => traces.sentSpan(before.row, false));
    if (!read) return;
    const { sent, attribution } = read;
    // One that cannot be read leaves the columns of the span alone; its reads say so.
    const { value: logs } = readOrWhy(() => sentSpans.logsOf(touched.trace.id, sent.span));
    const withLogs = logs ? { ...sent, logs } : sent;
    const derived = this.#columnsOf({ sent: withLogs, attribution }, received_ms);
    const columns = isExportScope(sent.scope.name) && this.#isOfReadTurn(touched) ? { ...derived, ...withoutUsage } : derived;
    const stored = spans.update(before, touched.scope, columns);
    touched.inserted += Number(before.placeholder) - Number(stored.placeholder);
    touched.trace.tree.put(stored);
    touched.arrived.set(stored.row, { preview: columns.preview, sent: () => withLogs });
    this.#indexTerms(touched, columns, previous);
  }

  /** Whether exported spans are of a turn that was read from its session file, which has the content and the usage. */
  #isOfReadTurn({ scope, trace }: Touched): boolean {
    return this.#stores.turns.isInHistory(scope, trace.id);
  }

  /** Indexes the terms of a span, and remembers the replaced columns. Placeholders have no terms. */
  #indexTerms(touched: Touched, span: SpanColumns, previous: SpanColumns | null): void {
    if (span.placeholder) {
      if (previous) touched.replaced.push(previous);
      return;
    }
    this.#stores.terms.add(touched.scope, touched.trace, span);
    if (previous && !hasAllTerms(span, previous)) touched.replaced.push(previous);
  }

  /**
   * Removes the terms of replaced records from a trace. It runs once for a group of requests, because it reads every span of the trace.
   * @returns sessions to which the trace no longer belongs
   */
  retract({ scope, trace, replaced }: Touched, received_ms: number): number[] {
    if (replaced.length === 0) return [];
    const current = trace.tree.spans
      .values()
      .map((span) => this.#storedColumns(span, received_ms))
      .filter((previous) => previous !== null);
    return this.#stores.terms.retract(scope, trace, replaced, current);
  }

  /** Columns of a stored span; null for placeholders, which have no terms, and for damaged spans. */
  #storedColumns({ row, placeholder }: StoredTreeSpan, received_ms: number): SpanColumns | null {
    const { value: read } = placeholder ? { value: null } : readOrWhy(() => this.#stores.traces.sentSpan(row));
    return read && this.#columnsOf(read, received_ms);
  }

  #columnsOf({ sent, attribution }: { sent: SpanData; attribution: EnvironmentAttribution | null }, received_ms: number): SpanColumns {
    const { columns } = deriveColumns(sent, this.#stores.pricing, received_ms);
    return attribution ? { ...columns, environment: attribution.name } : columns;
  }
}

const conflict = ({ span_id, trace_id }: PreparedSpan): string =>
  `span ${span_id} of trace ${trace_id}: duplicate_span_conflict, another span with these ids is stored`;
