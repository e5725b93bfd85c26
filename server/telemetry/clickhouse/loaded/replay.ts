/** Makes batches of stored spans and log records again, so that writing them has the same result as their arrival had. */
import type { TurnRecord } from '../../../ingest/agent-records/turn-record.ts';
import { hashSize, type PreparedBatch, type PreparedLog, type PreparedSpan, type Slice } from '../../../ingest/prepare/prepared.ts';
import { must } from '../../../platform/assert.ts';
import { ByteSink } from '../../../platform/byte-sink.ts';
import type { StoredText } from '../../sqlite/write/writer.ts';
import { type LogRow, type RecordRow, readAttribution } from '../stored-rows.ts';

type SentFields = 'trace_id' | 'span_id' | 'resource' | 'instrumentation' | 'record' | 'texts';

/** JSON of the derived columns of a span, for its row. */
export function preparedText(span: PreparedSpan): string {
  const {
    trace_id: _trace,
    span_id: _span,
    resource: _resource,
    instrumentation: _scope,
    record: _record,
    texts: _texts,
    ...derived
  } = span;
  return JSON.stringify(derived);
}

/** The long texts of a batch, each once. */
export function textsOf({ spans, logs, bytes }: PreparedBatch): StoredText[] {
  const at = (from: number, size: number) => Buffer.from(bytes.buffer, bytes.byteOffset + from, size);
  const slices = new Map([...spans, ...logs].flatMap(({ texts }) => texts.map((slice) => [slice.at, slice])));
  return [...slices.values()].map((slice) => ({ hash: at(slice.at - hashSize, hashSize), bytes: at(slice.at, slice.size) }));
}

/** @param texts long texts by hash; those of all rows */
export function batchesOf(records: readonly RecordRow[], logs: readonly LogRow[], texts: ReadonlyMap<string, string>): PreparedBatch[] {
  const batches: BatchInProgress[] = [];
  for (const row of [...records, ...logs].sort((a, b) => a.arrival - b.arrival)) {
    const last = batches.at(-1);
    const batch = last?.isOf(row) ? last : new BatchInProgress(row, texts);
    if (batch !== last) batches.push(batch);
    if ('prepared' in row) batch.addSpan(row);
    else batch.addLog(row);
  }
  return batches.map((batch) => batch.finish());
}

class BatchInProgress {
  readonly #received_ms: number;
  readonly #attribution: string;
  readonly #texts: ReadonlyMap<string, string>;
  readonly #spans: PreparedSpan[] = [];
  readonly #logs: PreparedLog[] = [];
  readonly #resources = new Map<string, number>();
  readonly #stored = new Map<string, Slice>();
  readonly #sink = new ByteSink();

  constructor({ received_ms, attribution }: Pick<RecordRow, 'received_ms' | 'attribution'>, texts: ReadonlyMap<string, string>) {
    this.#received_ms = received_ms;
    this.#attribution = attribution;
    this.#texts = texts;
  }

  isOf({ received_ms, attribution }: Pick<RecordRow, 'received_ms' | 'attribution'>): boolean {
    return received_ms === this.#received_ms && attribution === this.#attribution;
  }

  addSpan(row: RecordRow): void {
    this.#spans.push({
      ...(JSON.parse(row.prepared) as Omit<PreparedSpan, SentFields>),
      trace_id: row.trace_id,
      span_id: row.span_id,
      resource: this.#resource(row.resource),
      instrumentation: this.#resource(row.instrumentation),
      record: this.#sink.text(row.record),
      texts: row.texts.map((hash) => this.#text(hash)),
    });
  }

  addLog(row: LogRow): void {
    this.#logs.push({
      trace_id: row.trace_id,
      span_id: row.span_id,
      turn: row.turn === '' ? null : (JSON.parse(row.turn) as TurnRecord),
      resource: row.resource === '' ? -1 : this.#resource(row.resource),
      hash: row.hash,
      record: this.#sink.text(row.record),
      texts: row.texts.map((hash) => this.#text(hash)),
    });
  }

  finish(): PreparedBatch {
    return {
      spans: this.#spans,
      logs: this.#logs,
      // Their scores are stored.
      evaluations: [],
      resources: [...this.#resources.keys()],
      bytes: this.#sink.finish(),
      received_ms: this.#received_ms,
      attribution: readAttribution(this.#attribution),
    };
  }

  #resource(json: string): number {
    const existing = this.#resources.get(json);
    if (existing !== undefined) return existing;
    this.#resources.set(json, this.#resources.size);
    return this.#resources.size - 1;
  }

  #text(hash: string): Slice {
    const existing = this.#stored.get(hash);
    if (existing) return existing;
    const text = must(this.#texts.get(hash), `text ${hash} was read`);
    const before = this.#sink.reserve(hashSize);
    const slice = this.#sink.text(text);
    this.#sink.slice(before, hashSize).set(Buffer.from(hash, 'hex'));
    this.#stored.set(hash, slice);
    return slice;
  }
}
