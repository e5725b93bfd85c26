/** From decoded spans to a batch the store can write: the last step of the decoding thread. */
import { hash } from 'node:crypto';
import type { Pricing } from '../cost/pricing.ts';
import { bareSummary } from '../normalise/bare-summary.ts';
import { previewOf, summarise } from '../normalise/index.ts';
import type { SpanPreview, SpanSummary } from '../normalise/normalised.ts';
import type { DecodedSpan } from '../otlp/decoded.ts';
import type { RawResource, RawScope } from '../otlp/raw-span.ts';
import { ByteSink } from './byte-sink.ts';
import { hashSize, type PreparedBatch, type PreparedSpan, type Slice } from './prepared.ts';
import { encodeRecord } from './record.ts';

/** Before this, or further ahead than a day, a clock is wrong (reliability 3.3 row 12). */
const plausibleFromMs = Date.UTC(2000, 0, 1);
const aheadMaxMs = 24 * 3600 * 1000;

export class BatchBuilder {
  readonly #spans: PreparedSpan[] = [];
  readonly #sink = new ByteSink();
  readonly #owners = new Map<RawResource | RawScope, number>();
  readonly #pricing: Pricing;
  readonly #received_ms: number;

  constructor(pricing: Pricing, received_ms: number) {
    this.#pricing = pricing;
    this.#received_ms = received_ms;
  }

  add(decoded: DecodedSpan): void {
    const { span } = decoded;
    const { summary, preview } = understand(decoded);
    const { usage } = summary;
    const texts: Slice[] = [];
    const json = encodeRecord(span, [...decoded.warnings, ...summary.warnings], (text) => texts.push(this.#keep(text)) - 1);
    const { cost, cost_source } = this.#pricing.costOf(summary);
    this.#spans.push({
      trace_id: span.trace_id,
      span_id: span.span_id,
      parent_id: span.parent_id,
      ...timesOf(span.start_ns, span.end_ns, this.#received_ms),
      name: summary.name,
      type: summary.type,
      semantic_kind: summary.semantic_kind,
      status: summary.status,
      status_message: summary.status_message,
      service_name: summary.service_name,
      model: summary.model,
      usage_aggregate: summary.usage_aggregate,
      session_id: summary.session_id,
      session_name: summary.session_name,
      user_id: summary.user_id,
      trace_name: summary.trace_name,
      prompt_name: summary.prompt_name,
      environment: summary.environment,
      commit_sha: summary.commit_sha,
      dataset_run_id: summary.dataset_run_id,
      finish_reason: summary.finish_reason,
      ttft_ms: summary.ttft_ms,
      tags: summary.tags,
      pending: summary.pending,
      placeholder: summary.placeholder,
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      total_tokens: usage.total_tokens,
      cache_read_tokens: usage.cache_read_tokens,
      cache_write_tokens: usage.cache_write_tokens,
      reasoning_tokens: usage.reasoning_tokens,
      cost,
      cost_source,
      preview,
      metadata: Object.keys(summary.metadata).length === 0 ? '' : JSON.stringify(summary.metadata),
      resource: this.#owner(decoded.resource),
      instrumentation: this.#owner(decoded.scope),
      record: this.#sink.text(json),
      texts,
    });
  }

  finish(): PreparedBatch {
    return {
      spans: this.#spans,
      owners: [...this.#owners.keys()].map((owner) => JSON.stringify(owner)),
      bytes: this.#sink.finish(),
      received_ms: this.#received_ms,
    };
  }

  #keep(text: string): Slice {
    const before = this.#sink.reserve(hashSize);
    const slice = this.#sink.text(text);
    hash('sha256', this.#sink.slice(slice.at, slice.size), 'buffer').copy(this.#sink.slice(before, hashSize), 0, 0, hashSize);
    return slice;
  }

  #owner(owner: RawResource | RawScope): number {
    const known = this.#owners.get(owner);
    if (known !== undefined) return known;
    this.#owners.set(owner, this.#owners.size);
    return this.#owners.size - 1;
  }
}

/** A normaliser that fails on a span must not lose it: the raw truth is stored, and a better normaliser will read it. */
function understand(decoded: DecodedSpan): { summary: SpanSummary; preview: SpanPreview | null } {
  try {
    const summary = summarise(decoded);
    const speaks = decoded.span.parent_id === null || summary.type === 'GENERATION';
    return { summary, preview: speaks ? previewOf(decoded) : null };
  } catch (error) {
    return { summary: bareSummary(decoded.span, error), preview: null };
  }
}

type Times = Pick<PreparedSpan, 'start_us' | 'start_rest_ns' | 'duration_ns' | 'clock_suspect'>;

/** Unsigned nanoseconds as text to what rows hold. A missing start is the time of arrival; a negative duration is 0. */
export function timesOf(start_ns: string, end_ns: string, received_ms: number): Times {
  const start = start_ns === '0' ? BigInt(received_ms) * 1_000_000n : BigInt(start_ns);
  const end = BigInt(end_ns);
  const start_us = Number(start / 1000n);
  const startMs = start_us / 1000;
  return {
    start_us,
    start_rest_ns: Number(start % 1000n),
    duration_ns: end > start ? Number(end - start) : 0,
    clock_suspect: start_ns === '0' || startMs < plausibleFromMs || startMs > received_ms + aheadMaxMs,
  };
}
