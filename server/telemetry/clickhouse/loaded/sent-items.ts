/** Spans and log records of written batches, as rows that hold what was sent. */
import { hashSize, type PreparedBatch, type PreparedLog, type PreparedSpan, type Slice } from '../../../ingest/prepare/prepared.ts';
import { must } from '../../../platform/assert.ts';
import type { Scope } from '../../../platform/scope.ts';
import {
  attributionText,
  type LogRow,
  type PlaceRow,
  type RecordRow,
  type ScoreRow,
  type SpanChange,
  type TextRow,
  type TraceChange,
} from '../stored-rows.ts';
import { preparedText } from './replay.ts';

/** Changed rows of one app. */
export interface AppChanges {
  scope: Scope;
  texts: TextRow[];
  records: (RecordRow & { isPending: boolean })[];
  logs: LogRow[];
  spans: SpanChange[];
  traces: TraceChange[];
  places: PlaceRow[];
  scores: ScoreRow[];
}

export const noChanges = (scope: Scope): AppChanges => ({
  scope,
  texts: [],
  records: [],
  logs: [],
  spans: [],
  traces: [],
  places: [],
  scores: [],
});

/** A batch that was written, of an app. */
export interface WrittenBatch {
  scope: Scope;
  batch: PreparedBatch;
}

interface SentSpan {
  batch: PreparedBatch;
  span: PreparedSpan;
  arrival: number;
}

interface SentLog {
  batch: PreparedBatch;
  log: PreparedLog;
  arrival: number;
}

/** Next number in the order of arrival. */
export type NextArrival = () => number;

/**
 * Spans and log records of the written batches, as sent. They arrived batch by batch: written again in that order, they make the same traces
 * (agent turns depend on what came before).
 */
export class SentItems {
  readonly #spans = new Map<string, SentSpan[]>();
  readonly #logs = new Map<string, SentLog>();

  constructor(written: readonly WrittenBatch[], nextArrival: NextArrival) {
    for (const { scope, batch } of written) {
      for (const span of batch.spans) {
        const key = keyOf(scope, span.trace_id, span.span_id);
        this.#spans.set(key, [...(this.#spans.get(key) ?? []), { batch, span, arrival: nextArrival() }]);
      }
      for (const log of batch.logs) this.#logs.set(keyOf(scope, log.hash), { batch, log, arrival: nextArrival() });
    }
  }

  /** Null for a span that was not sent, but made for log records. */
  span(scope: Scope, traceId: string, spanId: string, pending: boolean): SentSpan | null {
    const sent = this.#spans.get(keyOf(scope, traceId, spanId)) ?? [];
    return sent.find(({ span }) => span.pending === pending) ?? sent[0] ?? null;
  }

  /** When the span came first. Null for a span that was not sent. */
  arrivalOf(scope: Scope, traceId: string, spanId: string): number | null {
    return this.#spans.get(keyOf(scope, traceId, spanId))?.[0]?.arrival ?? null;
  }

  log(scope: Scope, hash: string): SentLog | null {
    return this.#logs.get(keyOf(scope, hash)) ?? null;
  }
}

const keyOf = ({ tenant_id, app_id }: Scope, ...ids: string[]): string => JSON.stringify([tenant_id, app_id, ...ids]);

const textOf = ({ bytes }: PreparedBatch, { at, size }: Slice): string => Buffer.from(bytes.buffer, bytes.byteOffset + at, size).toString();

function addTexts(changes: AppChanges, batch: PreparedBatch, slices: readonly Slice[]): string[] {
  return slices.map((slice) => {
    const hash = Buffer.from(batch.bytes.buffer, batch.bytes.byteOffset + slice.at - hashSize, hashSize).toString('hex');
    changes.texts.push({ hash, text: textOf(batch, slice) });
    return hash;
  });
}

export function addRecord(changes: AppChanges, { batch, span }: SentSpan, arrival: number): void {
  changes.records.push({
    trace_id: span.trace_id,
    span_id: span.span_id,
    arrival,
    received_ms: batch.received_ms,
    attribution: attributionText(batch.attribution),
    prepared: preparedText(span),
    resource: must(batch.resources[span.resource], 'a span has a resource'),
    instrumentation: must(batch.resources[span.instrumentation], 'a span has a scope'),
    record: textOf(batch, span.record),
    texts: addTexts(changes, batch, span.texts),
    isPending: span.pending,
  });
}

export function addLog(changes: AppChanges, { batch, log, arrival }: SentLog): void {
  changes.logs.push({
    trace_id: log.trace_id,
    span_id: log.span_id,
    conversation: log.turn?.conversation ?? '',
    hash: log.hash,
    arrival,
    received_ms: batch.received_ms,
    attribution: attributionText(batch.attribution),
    turn: log.turn ? JSON.stringify(log.turn) : '',
    resource: log.resource === -1 ? '' : must(batch.resources[log.resource], 'a record has a resource'),
    record: textOf(batch, log.record),
    texts: addTexts(changes, batch, log.texts),
  });
}
