/** The thread that redacts what is forwarded: policies and texts are anybody's, and neither may hold the event loop of the gateway. */
import { gzipSync } from 'node:zlib';
import type { RedactionPolicy, RedactionPreview } from '../../shared/contract/operations/redaction.ts';
import { OtlpText, resourceLogs } from '../ingest/otlp/otlp-text.ts';
import { answerMessages } from '../platform/answer-messages.ts';
import { release } from '../platform/release.ts';
import type { WorkProtocol } from '../platform/thread.ts';
import { previewOf, totalsOf } from '../redaction/preview.ts';
import { RedactionProcessor } from '../redaction/redaction-processor.ts';
import { Encoded } from '../telemetry/encoded.ts';
import type { Origin, OutboxBatch, OutboxItem } from '../telemetry/forward-store.ts';
import type { PreviewSpans, Token } from '../telemetry/redaction-store.ts';
import type { Batch } from './sender.ts';

/** What the thread is started with. */
export interface RedactionTask {
  role: 'redact';
}

/** The redaction rules of a destination, and the key of its tokens. */
export interface RedactionSetting {
  policy: RedactionPolicy;
  /** Of this installation: one value has one token wherever it goes. */
  token_key: Uint8Array;
}

/** An `Encoded` that was sent in a message, which removes its methods. */
type SentEncoded<T> = Pick<Encoded<T>, 'json' | 'holds'>;

interface RedactionRequest<T> {
  /** Its buffer is transferred. */
  found: SentEncoded<T>;
  setting: RedactionSetting;
}

/** A batch, and what has to be written before it may be sent. */
export interface RedactedBatch {
  batch: Batch;
  tokens: Token[];
  /** Messages that can never be read, and why. */
  damaged: { message: number; reason: string }[];
}

export type RedactionProtocol = WorkProtocol<RedactionTask, ReturnType<typeof createWork>>;

export const runRedactionThread = (): void =>
  answerMessages(createWork(), { batch: ({ batch }) => [batch.body.buffer], preview: ({ json }) => [json.buffer] });

function createWork() {
  const processors = new LastProcessor();
  return {
    batch: ({ found, setting }: RedactionRequest<OutboxBatch>) => redacted(decoded(found), processors.of(setting)),
    preview: ({ found, setting }: RedactionRequest<PreviewSpans>) => previewed(decoded(found), processors.of(setting)),
  };
}

/** Frees the encoded bytes. */
function decoded<T>({ json }: SentEncoded<T>): T {
  const value = new Encoded<T>(json).decode();
  release(json);
  return value;
}

/** A sender uses the same rules for hours; building a processor forgets the tokens that it has made. */
class LastProcessor {
  #key = '';
  #processor: RedactionProcessor | null = null;

  of({ policy, token_key }: RedactionSetting): RedactionProcessor {
    const key = JSON.stringify([policy, Buffer.from(token_key).toString('base64')]);
    if (this.#processor === null || this.#key !== key) this.#processor = new RedactionProcessor(policy, token_key);
    this.#key = key;
    return this.#processor;
  }
}

function redacted(found: OutboxBatch, processor: RedactionProcessor): RedactedBatch {
  const parts: Parts = { tokens: new Map(), retained: [], damaged: [] };
  const { kind, from, to, messages } = found;
  const { count, text } = bodyOf(found, processor, parts);
  const body = new Uint8Array(gzipSync(text, { level: 1 }));
  const { retained, damaged, tokens } = parts;
  return { batch: { kind, from, to, messages, count, retained, body }, tokens: [...tokens.values()], damaged };
}

/** What a batch is made of beside its body. */
interface Parts {
  tokens: Map<string, Token>;
  retained: number[];
  damaged: RedactedBatch['damaged'];
}

/** An OTLP/JSON request, or `{ scores }`, of what the rules let leave. */
function bodyOf(found: OutboxBatch, processor: RedactionProcessor, parts: Parts): { count: number; text: string } {
  if (found.kind === 'spans') {
    const text = new OtlpText();
    for (const { sent } of redactedItems(found.items, parts, (sent, origin) => processor.span(sent, origin))) text.add(sent);
    return { count: text.count, text: `{"resourceSpans":${text.resourceSpans()}}` };
  }
  if (found.kind === 'logs') {
    const logs = [...redactedItems(found.items, parts, (log, origin) => processor.log(log, origin))].map(({ log }) => log);
    return { count: logs.length, text: `{"resourceLogs":${resourceLogs(logs) || '[]'}}` };
  }
  const scores = [...redactedItems(found.items, parts, (score, origin) => processor.score(score, origin))].map(({ score }) => score);
  return { count: scores.length, text: JSON.stringify({ scores }) };
}

/** Items that may be sent, redacted. @param redact returns null for a retained item */
function* redactedItems<T, R extends { tokens: readonly Token[] }>(
  items: readonly OutboxItem<T>[],
  { tokens, retained, damaged }: Parts,
  redact: (sent: T, origin: Origin) => R | null,
): Generator<R> {
  for (const item of items) {
    if ('damage' in item) {
      damaged.push({ message: item.message, reason: `Damaged in this store: ${item.damage}` });
      continue;
    }
    const left = redact(item.sent, item.origin);
    if (left === null) retained.push(item.message);
    else {
      for (const token of left.tokens) tokens.set(token.token, token);
      yield left;
    }
  }
}

function previewed({ spans, more }: PreviewSpans, processor: RedactionProcessor): SentEncoded<RedactionPreview> {
  const previews = spans.map(({ sent, origin }) => previewOf(processor, sent, origin));
  const preview: RedactionPreview = { spans: previews.map(({ span }) => span), totals: totalsOf(previews), more };
  return Encoded.of(preview);
}
