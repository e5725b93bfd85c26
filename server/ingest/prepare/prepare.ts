/** Builds a batch for the store from decoded spans: the last step of the decode thread. */
import { hash } from 'node:crypto';
import { ByteSink } from '../../platform/byte-sink.ts';
import type { EnvironmentAttribution } from '../../platform/environment-attribution.ts';
import type { Pricing } from '../cost/pricing.ts';
import { type Evaluation, evaluationsIn, evaluationsInLog } from '../normalise/evaluations.ts';
import { type CallHashes, callHashesOf } from '../normalise/index.ts';
import type { DecodedLog, DecodedSpan } from '../otlp/decoded.ts';
import { withLogsAsEvents } from '../otlp/log-events.ts';
import type { RawResource, RawScope, SpanData } from '../otlp/raw-span.ts';
import { TapeSpan } from '../otlp/tape/tape-span.ts';
import { type Call, CallPreviews } from './call-previews.ts';
import { deriveColumns } from './derive-columns.ts';
import { hashSize, type PreparedBatch, type PreparedLog, type PreparedSpan, type Slice, type SpanColumns } from './prepared.ts';
import { encodeLog, encodeRecord } from './record.ts';
import { writeRecord } from './tape-record.ts';

/** Number of spans of a request by semantic kind and convention, for the ingest log. */
export interface SpanCounts {
  families: Record<string, number>;
  kinds: Record<string, number>;
}

export class BatchBuilder {
  readonly spanCounts: SpanCounts = { families: {}, kinds: {} };
  readonly #spans: PreparedSpan[] = [];
  readonly #calls: Call[] = [];
  readonly #logs: PreparedLog[] = [];
  readonly #evaluations: Evaluation[] = [];
  readonly #sink = new ByteSink();
  readonly #resources = new Map<RawResource | RawScope, number>();
  readonly #pricing: Pricing;
  readonly #received_ms: number;
  readonly #attribution: EnvironmentAttribution | null;
  readonly #callPreviews: CallPreviews;

  /** @param callPreviews knows the traces of earlier requests */
  constructor(
    pricing: Pricing,
    received_ms: number,
    attribution: EnvironmentAttribution | null = null,
    callPreviews: CallPreviews = new CallPreviews(),
  ) {
    this.#callPreviews = callPreviews;
    this.#pricing = pricing;
    this.#received_ms = received_ms;
    this.#attribution = attribution;
  }

  add(decoded: DecodedSpan): void {
    const { span } = decoded;
    const { columns, family, warnings } = deriveColumns(decoded, this.#pricing, this.#received_ms);
    count(this.spanCounts.families, family);
    count(this.spanCounts.kinds, columns.semantic_kind);
    if (span.events.length > 0) this.#evaluations.push(...evaluationsIn(span, span.events, (text) => decoded.warnings.push(text)));
    const texts: Slice[] = [];
    const storeText = (text: string) => texts.push(this.#addText(text)) - 1;
    const allWarnings = [...decoded.warnings, ...warnings];
    const record =
      span instanceof TapeSpan
        ? writeRecord(span, allWarnings, this.#sink, storeText)
        : this.#sink.text(encodeRecord(span, allWarnings, storeText));
    if (this.#attribution) columns.environment = this.#attribution.name;
    const row: PreparedSpan = Object.assign(columns, {
      trace_id: span.trace_id,
      span_id: span.span_id,
      parent_id: span.parent_id,
      resource: this.#resource(decoded.resource),
      instrumentation: this.#resource(decoded.scope),
      ...callHashes(decoded, columns),
      record,
      texts,
    });
    this.#spans.push(row);
    if (row.type === 'GENERATION') this.#calls.push({ row, spanData: decoded });
  }

  /** @param warn called for evaluations that cannot be used */
  addLog({ log, turn, resource }: DecodedLog, warn: (text: string) => void = () => {}): void {
    this.#evaluations.push(...evaluationsInLog(log, warn));
    const texts: Slice[] = [];
    const json = encodeLog(log, (text) => texts.push(this.#addText(text)) - 1);
    const digest = hash('sha256', JSON.stringify(log)).slice(0, hashSize * 2);
    this.#logs.push({
      trace_id: log.trace_id,
      span_id: log.span_id,
      turn,
      resource: resource ? this.#resource(resource) : -1,
      hash: digest,
      record: this.#sink.text(json),
      texts,
    });
  }

  finish(): PreparedBatch {
    this.#callPreviews.add(this.#calls);
    return {
      spans: this.#spans,
      logs: this.#logs,
      evaluations: this.#evaluations,
      resources: [...this.#resources.keys()].map((resource) => JSON.stringify(resource)),
      bytes: this.#sink.finish(),
      received_ms: this.#received_ms,
      attribution: this.#attribution,
    };
  }

  #addText(text: string): Slice {
    const before = this.#sink.reserve(hashSize);
    const slice = this.#sink.text(text);
    hash('sha256', this.#sink.slice(slice.at, slice.size), 'buffer').copy(this.#sink.slice(before, hashSize), 0, 0, hashSize);
    return slice;
  }

  #resource(resource: RawResource | RawScope): number {
    const existing = this.#resources.get(resource);
    if (existing !== undefined) return existing;
    this.#resources.set(resource, this.#resources.size);
    return this.#resources.size - 1;
  }
}

/** Of the final span of a tool; others have none. */
export const callHashes = (spanData: SpanData, { semantic_kind, pending }: SpanColumns): CallHashes =>
  semantic_kind === 'tool' && !pending ? callHashesOf(withLogsAsEvents(spanData)) : { arguments_hash: null, result_hash: null };

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
