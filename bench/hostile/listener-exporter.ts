/** An OpenTelemetry SDK in a process of its own, which sends to the standard ports. */
import { setTimeout as after } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { serveTask } from '../measure/helper-process.ts';

export interface ExportTask {
  /**
   * `unset`: the SDK as it is when nobody set it up, but for the protocol. `batches`: the exporter for gRPC behind a BatchSpanProcessor.
   * `stubborn`: the same, all batches at once, and each is sent again for as long as it is told when to come back.
   */
  kind: 'unset' | 'batches' | 'stubborn';
  /** Of the exporter; the SDK's own choice when null. */
  url: string | null;
  /** For `OTEL_EXPORTER_OTLP_PROTOCOL`. */
  protocol?: 'grpc';
  spans: number;
  /** Of text in each. */
  bytes: number;
}

export interface ExportCounts {
  /** Answers UNAVAILABLE with RetryInfo that were obeyed. */
  obeyed: number;
  /** Failures of any other kind, the first few. */
  failures: string[];
}

type Spans = Parameters<OTLPTraceExporter['export']>[0];
type Done = Parameters<OTLPTraceExporter['export']>[1];

/** The SDK's queue holds 2048: whoever makes more at a time without waiting loses them before they are sent. */
const queueSpans = 2048;
const unavailable = 14;

function note({ failures }: ExportCounts, failure: string): void {
  if (failures.length < 3) failures.push(failure);
}

/** What the SDK does not wait for longer than half a minute. */
const waiting = { exports: 0, retries: 0 };

function exporterOf({ kind, url }: ExportTask, counts: ExportCounts): OTLPTraceExporter | null {
  if (url === null) return null;
  const exporter = new OTLPTraceExporter({ url, concurrencyLimit: 2000, timeoutMillis: 120_000 });
  const send = exporter.export.bind(exporter);
  exporter.export = (spans: Spans, done: Done) => {
    waiting.exports++;
    send(spans, (result) => {
      waiting.exports--;
      const seconds = kind === 'stubborn' ? retrySeconds(result.error) : null;
      if (seconds !== null) {
        counts.obeyed++;
        waiting.retries++;
        setTimeout(() => {
          waiting.retries--;
          exporter.export(spans, done);
        }, seconds * 1000);
        return;
      }
      if (result.code !== 0) note(counts, String(result.error));
      done(result);
    });
  };
  return exporter;
}

/** What exporters in other languages do by themselves: this one gives up at once. Null when it was not told to come back. */
function retrySeconds(error: unknown): number | null {
  const { code, metadata } = (error ?? {}) as { code?: number; metadata?: { get(name: string): unknown[] } };
  const [details] = metadata?.get('grpc-status-details-bin') ?? [];
  if (code !== unavailable || !(details instanceof Buffer) || !details.includes('google.rpc.RetryInfo')) return null;
  return details.at(-1) ?? null;
}

async function exportAll(task: ExportTask): Promise<ExportCounts> {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  if (task.protocol) process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] = task.protocol;
  const isStubborn = task.kind === 'stubborn';
  if (isStubborn) Object.assign(process.env, { OTEL_BSP_MAX_QUEUE_SIZE: String(task.spans), OTEL_BSP_EXPORT_TIMEOUT: '600000' });
  const counts: ExportCounts = { obeyed: 0, failures: [] };
  const exporter = exporterOf(task, counts);
  const sdk = new NodeSDK({ serviceName: 'listeners', instrumentations: [], ...(exporter ? { traceExporter: exporter } : {}) });
  sdk.start();
  const tracer = trace.getTracer('listeners');
  const flush = () => flushed().catch((error: unknown) => note(counts, [error].flat().map(String).join(', ')));
  const text = 'x'.repeat(task.bytes);
  for (let n = 1; n <= task.spans; n++) {
    tracer.startSpan('step', { attributes: { n, text } }).end();
    if (!isStubborn && n % queueSpans === 0) await flush();
  }
  await (isStubborn ? flushed().catch(() => {}) : flush());
  while (waiting.exports + waiting.retries > 0) await after(100);
  await sdk.shutdown();
  return counts;
}

const flushed = (): Promise<void> =>
  (trace.getTracerProvider() as unknown as { getDelegate(): { forceFlush(): Promise<void> } }).getDelegate().forceFlush();

serveTask(exportAll);
