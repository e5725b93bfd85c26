/** The thread that redacts batches and previews. Policies and texts may be hostile, and must not block the event loop of the gateway. */
import { gzipSync } from 'node:zlib';
import type { RedactionPolicy, RedactionPreview } from '../../shared/contract/operations/redaction.ts';
import { OtlpText, resourceLogs } from '../ingest/otlp/encode-json.ts';
import { answerMessages } from '../platform/answer-messages.ts';
import { release } from '../platform/release.ts';
import type { WorkProtocol } from '../platform/thread.ts';
import { previewOf, totalsOf } from '../redaction/preview.ts';
import { RedactionProcessor } from '../redaction/redaction-processor.ts';
import { Encoded } from '../telemetry/encoded.ts';
import type { Origin, OutboxBatch, OutboxItem } from '../telemetry/forward-store.ts';
import type { PreviewSpans, Token } from '../telemetry/redaction-store.ts';
import type { Batch } from './sender.ts';

/** Start message of the thread. */
export interface RedactionTask {
  role: 'redact';
}

/** Redaction rules of a destination, with the key of its tokens. */
export interface RedactionSetting {
  policy: RedactionPolicy;
  /** One key for each installation: a value has the same token at all destinations. */
  token_key: Uint8Array;
}

/** An `Encoded` that was sent in a message, which removes its methods. */
type SentEncoded<T> = Pick<Encoded<T>, 'json' | 'holds'>;

interface RedactionRequest<T> {
  /** Its buffer is transferred. */
  found: SentEncoded<T>;
  setting: RedactionSetting;
}

/** A batch, with what must be stored before it is sent. */
export interface RedactedBatch {
  batch: Batch;
  tokens: Token[];
  /** Messages that cannot be read. */
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
    texts: ({ texts, setting }: { texts: readonly string[]; setting: RedactionSetting }) => processors.of(setting).texts(texts),
  };
}

/** Frees the encoded bytes. */
function decoded<T>({ json }: SentEncoded<T>): T {
  const value = new Encoded<T>(json).decode();
  release(json);
  return value;
}

/** A destination keeps its rules for hours, and a new processor has an empty token cache. */
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
  const extras: Extras = { tokens: new Map(), retained: [], damaged: [] };
  const { kind, from, to, messages } = found;
  const { count, text } = bodyOf(found, processor, extras);
  const body = new Uint8Array(gzipSync(text, { level: 1 }));
  const { retained, damaged, tokens } = extras;
  return { batch: { kind, from, to, messages, count, retained, body }, tokens: [...tokens.values()], damaged };
}

/** Results of redaction apart from the body. */
interface Extras {
  tokens: Map<string, Token>;
  retained: number[];
  damaged: RedactedBatch['damaged'];
}

/** OTLP/JSON request, or `{ scores }`, with the items that may be sent. */
function bodyOf(found: OutboxBatch, processor: RedactionProcessor, extras: Extras): { count: number; text: string } {
  if (found.kind === 'spans') {
    const text = new OtlpText();
    for (const { sent } of redactedItems(found.items, extras, (sent, origin) => processor.span(sent, origin))) text.add(sent);
    return { count: text.count, text: `{"resourceSpans":${text.resourceSpans()}}` };
  }
  if (found.kind === 'logs') {
    const logs = [...redactedItems(found.items, extras, (log, origin) => processor.log(log, origin))].map(({ log }) => log);
    return { count: logs.length, text: `{"resourceLogs":${resourceLogs(logs) || '[]'}}` };
  }
  const scores = [...redactedItems(found.items, extras, (score, origin) => processor.score(score, origin))].map(({ score }) => score);
  return { count: scores.length, text: JSON.stringify({ scores }) };
}

/** Yields the redacted items. @param redact returns null for an item that is not sent */
function* redactedItems<T, R extends { tokens: readonly Token[] }>(
  items: readonly OutboxItem<T>[],
  { tokens, retained, damaged }: Extras,
  redact: (sent: T, origin: Origin) => R | null,
): Generator<R> {
  for (const item of items) {
    if ('damage' in item) {
      damaged.push({ message: item.message, reason: `Damaged in this store: ${item.damage}` });
      continue;
    }
    const redactedItem = redact(item.sent, item.origin);
    if (redactedItem === null) retained.push(item.message);
    else {
      for (const token of redactedItem.tokens) tokens.set(token.token, token);
      yield redactedItem;
    }
  }
}

function previewed({ spans, more }: PreviewSpans, processor: RedactionProcessor): SentEncoded<RedactionPreview> {
  const previews = spans.map(({ sent, origin }) => previewOf(processor, sent, origin));
  const preview: RedactionPreview = { spans: previews.map(({ span }) => span), totals: totalsOf(previews), more };
  return Encoded.of(preview);
}
