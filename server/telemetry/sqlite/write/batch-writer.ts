/** Writes the spans and log records of one request into the running transaction. */
import type { Pricing } from '../../../ingest/cost/pricing.ts';
import type { PreparedBatch, PreparedLog, PreparedSpan } from '../../../ingest/prepare/prepared.ts';
import { sentSpanOf } from '../../../ingest/prepare/sent-span-of.ts';
import { understand } from '../../../ingest/prepare/understand.ts';
import type { WriteOutcome } from '../../span-writer.ts';
import type { SentSpans } from '../sent-span.ts';
import type { LogRows } from './log-rows.ts';
import type { SpanRows } from './span-rows.ts';
import type { Arrival, TraceRows } from './trace-rows.ts';
import type { OpenTrace, Trees } from './trees.ts';

/** A trace touched by the running group, with the spans that were written for it, by row. */
export interface Touched {
  scope: number;
  trace: OpenTrace;
  traceId: string;
  arrived: Map<number, Arrival>;
  /** How many of them show up in lists for the first time. */
  inserted: number;
}

interface Stores {
  traces: TraceRows;
  trees: Trees;
  spans: SpanRows;
  logs: LogRows;
  sentSpans: SentSpans;
  pricing: Pricing;
}

export class BatchWriter {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  write(scope: number, batch: PreparedBatch, touched: Map<number, Touched>): WriteOutcome {
    const outcome: WriteOutcome = { accepted: 0, duplicates: 0, conflicts: [] };
    // Spans of one trace stand together in their block: they are read together, and repeat each other's text.
    for (const [traceId, spans] of Map.groupBy(batch.spans, (span) => span.trace_id)) {
      const entry = this.#touch(scope, traceId, touched);
      for (const span of spans) this.#writeSpan(entry, batch, span, outcome);
    }
    for (const [traceId, logs] of Map.groupBy(batch.logs, (log) => log.trace_id)) {
      this.#writeLogs(this.#touch(scope, traceId, touched), batch, logs, outcome);
    }
    return outcome;
  }

  #touch(scope: number, traceId: string, touched: Map<number, Touched>): Touched {
    const { id, fresh } = this.#stores.traces.open(scope, traceId);
    const known = touched.get(id);
    if (known) return known;
    const entry: Touched = { scope, trace: this.#stores.trees.of(id, fresh), traceId, arrived: new Map(), inserted: 0 };
    touched.set(id, entry);
    return entry;
  }

  #writeSpan(touched: Touched, batch: PreparedBatch, arrived: PreparedSpan, outcome: WriteOutcome): void {
    const { spans, traces } = this.#stores;
    const { scope, trace } = touched;
    const before = trace.tree.spans.get(arrived.span_id);
    if (before && !(before.pending && !arrived.pending)) {
      if (arrived.pending || spans.equals(before.row, scope, batch, arrived)) outcome.duplicates++;
      else outcome.conflicts.push(conflict(arrived));
      return;
    }
    const logged = trace.logged.has(arrived.span_id);
    const span = logged ? this.#withLogs(trace.id, batch, arrived) : arrived;
    const stored = before
      ? spans.replace(before.row, scope, trace.id, batch, span, logged)
      : spans.insert(scope, trace.id, batch, span, logged);
    if (!before && !stored.placeholder) touched.inserted++;
    trace.tree.put(stored);
    touched.arrived.set(stored.row, { preview: span.preview, sent: () => sentSpanOf(batch, span) });
    traces.post(scope, trace, span);
    outcome.accepted++;
  }

  /** A span whose log records came before it, understood with them. */
  #withLogs(trace: number, batch: PreparedBatch, span: PreparedSpan): PreparedSpan {
    const { sentSpans, pricing } = this.#stores;
    const sent = { ...sentSpanOf(batch, span), logs: sentSpans.logsOf(trace, span) };
    return { ...span, ...understand(sent, pricing, batch.received_ms).understood };
  }

  #writeLogs(touched: Touched, batch: PreparedBatch, logs: PreparedLog[], outcome: WriteOutcome): void {
    const { trace, scope } = touched;
    const changed = new Set<string>();
    for (const log of logs) {
      if (!this.#stores.logs.insert(scope, trace.id, batch, log)) {
        outcome.duplicates++;
        continue;
      }
      outcome.accepted++;
      trace.logged.add(log.span_id);
      changed.add(log.span_id);
    }
    for (const spanId of changed) this.#understandAgain(touched, spanId, batch.received_ms);
  }

  /** A stored span for which log records came: its row, its trace and its terms follow what they say. */
  #understandAgain(touched: Touched, spanId: string, received_ms: number): void {
    const { spans, traces, sentSpans, pricing } = this.#stores;
    const before = touched.trace.tree.spans.get(spanId);
    if (!before) return;
    const { sent } = traces.sentSpan(before.row);
    const logs = sentSpans.logsOf(touched.trace.id, sent.span);
    const { understood } = understand({ ...sent, logs }, pricing, received_ms);
    const stored = spans.update(before, touched.scope, understood);
    touched.trace.tree.put(stored);
    touched.arrived.set(stored.row, { preview: understood.preview, sent: () => ({ ...sent, logs }) });
    traces.post(touched.scope, touched.trace, understood);
  }
}

const conflict = ({ span_id, trace_id }: PreparedSpan): string =>
  `span ${span_id} of trace ${trace_id}: duplicate_span_conflict, another span with these ids is stored`;
