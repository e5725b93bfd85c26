/** Exports many batches at once with the OpenTelemetry SDK for JavaScript, set up as in a usual program. */
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { NodeSDK } from '@opentelemetry/sdk-node';

type Exporter = InstanceType<typeof OTLPTraceExporter>;

export interface ExportResult {
  batches: number;
  /** Spans in batches that the SDK reported as delivered, and in those that it gave up. */
  delivered: number;
  givenUp: number;
}

/** @param batchSpans how many spans the SDK puts into one request @param bytes of text in each span */
export async function exportSpans(url: string, spans: number, batchSpans: number, bytes: number): Promise<ExportResult> {
  const timeoutMs = 120_000;
  Object.assign(process.env, {
    OTEL_BSP_MAX_QUEUE_SIZE: String(spans),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: String(batchSpans),
    // Nothing is exported before the flush.
    OTEL_BSP_SCHEDULE_DELAY: String(timeoutMs * 10),
    OTEL_BSP_EXPORT_TIMEOUT: String(timeoutMs),
  });
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, concurrencyLimit: 500, timeoutMillis: timeoutMs });
  const exported: ExportResult = { batches: 0, delivered: 0, givenUp: 0 };
  const send = exporter.export.bind(exporter);
  exporter.export = (batch: Parameters<Exporter['export']>[0], done: Parameters<Exporter['export']>[1]) =>
    send(batch, (result) => {
      exported.batches++;
      if (result.code === 0) exported.delivered += batch.length;
      else exported.givenUp += batch.length;
      done(result);
    });
  const sdk = new NodeSDK({ serviceName: 'uploads', traceExporter: exporter, instrumentations: [] });
  sdk.start();
  const tracer = trace.getTracer('uploads');
  const text = 'x'.repeat(bytes);
  for (let n = 0; n < spans; n++) tracer.startSpan('step', { attributes: { n, text } }).end();
  await sdk.shutdown();
  trace.disable();
  return exported;
}
