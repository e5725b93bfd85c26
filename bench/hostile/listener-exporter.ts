/** Runs an OpenTelemetry SDK in a process of its own, which exports to the standard ports. */
import { setTimeout as after } from 'node:timers/promises';
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { serveTask } from '../measure/helper-process.ts';

export interface ExportTask {
  /**
   * `unset`: the SDK with its default settings, except for the protocol. `batches`: the gRPC exporter with a BatchSpanProcessor.
   * `stubborn`: the same with all batches at once; each is retried for as long as the response has RetryInfo.
   */
  kind: 'unset' | 'batches' | 'stubborn';
  /** The URL of the exporter; null for the default of the SDK. */
  url: string | null;
  /** The value of `OTEL_EXPORTER_OTLP_PROTOCOL`. */
  protocol?: 'grpc';
  spans: number;
  /** Bytes of text in each span. */
  bytes: number;
}

export interface ExportCounts {
  /** How many responses were UNAVAILABLE with RetryInfo, which led to a retry. */
  retries: number;
  /** The first few other failures. */
  failures: string[];
}

type Spans = Parameters<OTLPTraceExporter['export']>[0];
type Done = Parameters<OTLPTraceExporter['export']>[1];

/** The SDK's queue holds 2048 spans: more at once would be lost before they are sent. */
const queueSpans = 2048;
const unavailable = 14;

function addFailure({ failures }: ExportCounts, failure: string): void {
  if (failures.length < 3) failures.push(failure);
}

/** The SDK itself waits for these at most half a minute. */
const pending = { exports: 0, retries: 0 };

function exporterOf({ kind, url }: ExportTask, counts: ExportCounts): OTLPTraceExporter | null {
  if (url === null) return null;
  const exporter = new OTLPTraceExporter({ url, concurrencyLimit: 2000, timeoutMillis: 120_000 });
  const send = exporter.export.bind(exporter);
  exporter.export = (spans: Spans, done: Done) => {
    pending.exports++;
    send(spans, (result) => {
      pending.exports--;
      const seconds = kind === 'stubborn' ? retrySeconds(result.error) : null;
      if (seconds !== null) {
        counts.retries++;
        pending.retries++;
        setTimeout(() => {
          pending.retries--;
          exporter.export(spans, done);
        }, seconds * 1000);
        return;
      }
      if (result.code !== 0) addFailure(counts, String(result.error));
      done(result);
    });
  };
  return exporter;
}

/** Retries as exporters in other languages do; this one gives up at once. @returns null without RetryInfo */
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
  const counts: ExportCounts = { retries: 0, failures: [] };
  const exporter = exporterOf(task, counts);
  const sdk = new NodeSDK({ serviceName: 'listeners', instrumentations: [], ...(exporter ? { traceExporter: exporter } : {}) });
  sdk.start();
  const tracer = trace.getTracer('listeners');
  const flush = () => forceFlush().catch((error: unknown) => addFailure(counts, [error].flat().map(String).join(', ')));
  const text = 'x'.repeat(task.bytes);
  for (let n = 1; n <= task.spans; n++) {
    tracer.startSpan('step', { attributes: { n, text } }).end();
    if (!isStubborn && n % queueSpans === 0) await flush();
  }
  await (isStubborn ? forceFlush().catch(() => {}) : flush());
  while (pending.exports + pending.retries > 0) await after(100);
  await sdk.shutdown();
  return counts;
}

const forceFlush = (): Promise<void> =>
  (trace.getTracerProvider() as unknown as { getDelegate(): { forceFlush(): Promise<void> } }).getDelegate().forceFlush();

serveTask(exportAll);
