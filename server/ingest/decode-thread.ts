/** The thread that inflates, decodes and normalises requests, so that neither the HTTP loop nor the writer waits for it. */
import { setFlagsFromString } from 'node:v8';
import type { EnvironmentAttribution } from '../platform/environment-attribution.ts';
import { collectWhenIdle } from '../platform/idle-collect.ts';
import { release } from '../platform/release.ts';
import type { Scope } from '../platform/scope.ts';
import { threadPort } from '../platform/thread.ts';
import { hintOf } from './agent-records/hint.ts';
import type { Allowance } from './allowance.ts';
import type { PriceOverrides } from './cost/own-prices.ts';
import { createPricing, type Pricing } from './cost/pricing.ts';
import { eachJsonSpan } from './otlp/decode-json.ts';
import { decodeLogsJson } from './otlp/decode-logs-json.ts';
import { decodeLogsProtobuf } from './otlp/decode-logs-protobuf.ts';
import { eachProtobufSpan } from './otlp/decode-protobuf.ts';
import { UnreadableRequest } from './otlp/decoded.ts';
import { type Encoding, inflate, UnreadableEncoding } from './otlp/inflate.ts';
import { CallPreviews } from './prepare/call-previews.ts';
import { SentTerms } from './prepare/channel-terms.ts';
import { type PackedBatch, pack, transferable } from './prepare/pack.ts';
import { BatchBuilder, type SpanCounts } from './prepare/prepare.ts';
import type { SinkChannel } from './sink.ts';

/** Stored OTLP signals. */
export type Signal = 'traces' | 'logs';

export type DecodeRequest =
  /** Comes first where the sink has a channel. */
  | ({ kind: 'channel' } & Pick<SinkChannel, 'port' | 'inFlight'>)
  | {
      kind: 'decode';
      id: number;
      scope: Scope;
      signal: Signal;
      body: Uint8Array;
      encoding: Encoding | null;
      protobuf: boolean;
      received_ms: number;
      attribution: EnvironmentAttribution | null;
      allowance: Allowance | null;
    };

export type DecodeReply =
  | {
      kind: 'decoded';
      id: number;
      hasBatch: boolean;
      /** To be offered to the sink. Absent where it was sent over the channel of the sink, whose reply for this id follows. */
      batch?: PackedBatch;
      rejected: number;
      reasons: string[];
      hint: string;
      spanCounts: SpanCounts;
    }
  | { kind: 'refused'; id: number; code: RefusalCode; message: string };

export type RefusalCode = UnreadableRequest['code'] | UnreadableEncoding['code'];

/** Maximum number of lines of explanation in a reply. */
const linesMax = 5;

/** Rejections, and hints for developers about them and about adjusted values. */
interface DecodeNotes {
  rejected: number;
  reasons: string[];
  /** Setting to change, when nothing in the request was usable. */
  hint: string;
}

type Decoder = (builder: BatchBuilder, body: Uint8Array, protobuf: boolean) => DecodeNotes;

const decoders: Record<Signal, Decoder> = {
  traces: (builder, body, protobuf) => {
    const adjusted: string[] = [];
    const rejected = (protobuf ? eachProtobufSpan : eachJsonSpan)(body, (span) => {
      builder.add(span);
      noteAdjustments(adjusted, span);
    });
    return { rejected: rejected.length, reasons: [...rejected.slice(0, linesMax), ...adjusted], hint: '' };
  },
  logs: (builder, body, protobuf) => {
    const decoded = protobuf ? decodeLogsProtobuf(body) : decodeLogsJson(body);
    const adjusted: string[] = [];
    for (const log of decoded.logs) builder.addLog(log, (text) => noteAdjustments(adjusted, { warnings: [text], span: log.log }));
    const { rejected } = decoded;
    return { rejected: rejected.length, reasons: [...rejected.slice(0, linesMax), ...adjusted], hint: hintOf(decoded) };
  },
};

/** Start message of the thread. */
export interface DecodeTask {
  role: 'decode';
  prices: PriceOverrides;
}

export interface DecodeProtocol {
  task: DecodeTask;
  request: DecodeRequest;
  reply: DecodeReply;
}

export function runDecodeThread({ prices }: DecodeTask): void {
  const main = threadPort<DecodeProtocol>();
  // V8 allocates object types that survive collections directly in the old heap. No object survives its request, but a collection during a
  // request makes it look so: half of all gateways then collected their old heap thirty times as often.
  setFlagsFromString('--no-allocation-site-pretenuring');
  const shared: Shared = { pricing: createPricing(prices), callPreviews: new CallPreviews(), terms: undefined };
  const scheduleCollection = collectWhenIdle();
  let channel: Pick<SinkChannel, 'port' | 'inFlight'> | null = null;
  main.on('message', (request) => {
    if (request.kind === 'channel') {
      channel = request;
      shared.terms = new SentTerms();
      return;
    }
    const { reply, batch } = decode(request, shared);
    if (channel) {
      main.postMessage(reply);
      Atomics.sub(channel.inFlight, 0, 1);
      const { id, scope, allowance } = request;
      if (batch) channel.port.postMessage({ id, scope, batch, allowance }, transferable(batch));
    } else if (batch && reply.kind === 'decoded') main.postMessage({ ...reply, batch }, transferable(batch));
    else main.postMessage(reply);
    scheduleCollection();
  });
}

/** What requests have in common. */
interface Shared {
  pricing: Pricing;
  callPreviews: CallPreviews;
  /** Of the channel to the sink, if there is one. */
  terms: SentTerms | undefined;
}

/** Decodes a request into a batch, with the notes for its answer. */
function decode(
  request: Extract<DecodeRequest, { kind: 'decode' }>,
  { pricing, callPreviews, terms }: Shared,
): { reply: DecodeReply; batch?: PackedBatch } {
  const { id, signal, protobuf, received_ms, attribution } = request;
  try {
    const builder = new BatchBuilder(pricing, received_ms, attribution, callPreviews);
    const body = request.encoding ? inflate(request.body, request.encoding) : request.body;
    const notes = decoders[signal](builder, body, protobuf);
    const batch = builder.finish();
    for (const bytes of [request.body, body]) release(bytes);
    const hasBatch = batch.spans.length + batch.logs.length > 0;
    const reply: DecodeReply = { kind: 'decoded', id, hasBatch, ...notes, spanCounts: builder.spanCounts };
    return hasBatch ? { reply, batch: pack(batch, terms) } : { reply };
  } catch (error) {
    if (!(error instanceof UnreadableRequest || error instanceof UnreadableEncoding)) throw error;
    return { reply: { kind: 'refused', id, code: error.code, message: error.message } };
  }
}

/** Adds the adjustments that were necessary to store a span. The sender gets them though nothing was rejected. */
function noteAdjustments(lines: string[], { warnings, span }: { warnings: string[]; span: { span_id: string } }): void {
  for (const warning of warnings) if (lines.length < linesMax) lines.push(`span ${span.span_id}: ${warning}`);
}
