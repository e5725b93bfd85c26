/** The thread that inflates, decodes and normalises requests, so that neither the HTTP loop nor the writer waits for it. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { must } from '../platform/assert.ts';
import type { EnvironmentStamp } from '../platform/environment-stamp.ts';
import { collectWhenIdle } from '../platform/idle-collect.ts';
import { release } from '../platform/release.ts';
import type { Scope } from '../platform/scope.ts';
import type { Allowance } from '../telemetry/allowance.ts';
import type { IntakeMessage } from '../telemetry/intake.ts';
import type { PriceOverrides } from './cost/own-prices.ts';
import { createPricing } from './cost/pricing.ts';
import { decodeJson } from './otlp/decode-json.ts';
import { decodeLogsJson } from './otlp/decode-logs-json.ts';
import { decodeLogsProtobuf } from './otlp/decode-logs-protobuf.ts';
import { decodeProtobuf } from './otlp/decode-protobuf.ts';
import { type DecodedSpan, UnreadableRequest } from './otlp/decoded.ts';
import { inflate, UnreadableEncoding } from './otlp/inflate.ts';
import { BatchBuilder, type Recognised } from './prepare/prepare.ts';

/** What a request carries: the OTLP signals that are stored. */
export type Signal = 'traces' | 'logs';

export type DecodeRequest =
  | { kind: 'intake'; port: MessagePort }
  | {
      kind: 'decode';
      id: number;
      scope: Scope;
      signal: Signal;
      body: Uint8Array;
      gzip: boolean;
      protobuf: boolean;
      received_ms: number;
      stamp: EnvironmentStamp | null;
      allowance: Allowance | null;
    };

export type DecodeReply =
  /** `handed` says that something went on to the writer, whose answer for this id will follow. */
  | { kind: 'decoded'; id: number; handed: boolean; rejected: number; reasons: string[]; recognised: Recognised }
  | { kind: 'refused'; id: number; code: RefusalCode; message: string };

export type RefusalCode = UnreadableRequest['code'] | UnreadableEncoding['code'];

/** At most this many lines of explanation travel back. */
const linesMax = 5;

/** What was refused, and lines for a developer about that and about what had to be adjusted. */
interface Told {
  rejected: number;
  reasons: string[];
}

type Fill = (builder: BatchBuilder, body: Uint8Array, protobuf: boolean) => Told;

const fill: Record<Signal, Fill> = {
  traces: (builder, body, protobuf) => {
    const { spans, rejected } = protobuf ? decodeProtobuf(body) : decodeJson(body);
    for (const span of spans) builder.add(span);
    return { rejected: rejected.length, reasons: [...rejected.slice(0, linesMax), ...adjustments(spans)] };
  },
  logs: (builder, body, protobuf) => {
    const { logs, rejected } = protobuf ? decodeLogsProtobuf(body) : decodeLogsJson(body);
    for (const log of logs) builder.addLog(log);
    return { rejected: rejected.length, reasons: rejected.slice(0, linesMax) };
  },
};

/** What the thread is started with. */
export interface DecodeTask {
  role: 'decode';
  prices: PriceOverrides;
}

export function runDecodeThread({ prices }: DecodeTask): void {
  const main = must(parentPort, 'decoding runs in a worker thread');
  const pricing = createPricing(prices);
  const reply = (message: DecodeReply) => main.postMessage(message);
  const worked = collectWhenIdle();
  let writer: MessagePort | null = null;
  main.on('message', (request: DecodeRequest) => {
    if (request.kind === 'intake') {
      writer = request.port;
      return;
    }
    const { id, scope, signal, protobuf, received_ms, stamp, allowance } = request;
    try {
      const builder = new BatchBuilder(pricing, received_ms, stamp);
      const body = request.gzip ? inflate(request.body) : request.body;
      const told = fill[signal](builder, body, protobuf);
      const batch = builder.finish();
      for (const read of [request.body, body]) release(read);
      const handed = batch.spans.length + batch.logs.length > 0;
      reply({ kind: 'decoded', id, handed, ...told, recognised: builder.recognised });
      if (handed) {
        const message: IntakeMessage = { id, scope, batch, allowance };
        must(writer, 'the intake came first').postMessage(message, [batch.bytes.buffer as ArrayBuffer]);
      }
    } catch (error) {
      if (!(error instanceof UnreadableRequest || error instanceof UnreadableEncoding)) throw error;
      reply({ kind: 'refused', id, code: error.code, message: error.message });
    }
    worked();
  });
}

/** What had to be changed to store a span; the sender should know, though nothing was refused. */
function adjustments(spans: DecodedSpan[]): string[] {
  const lines: string[] = [];
  for (const { warnings, span } of spans) {
    for (const warning of warnings) if (lines.push(`span ${span.span_id}: ${warning}`) === linesMax) return lines;
  }
  return lines;
}
