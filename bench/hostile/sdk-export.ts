/** The OpenTelemetry SDK for JavaScript as a program would set it up, that exports many batches in one go. */
import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { NodeSDK } from '@opentelemetry/sdk-node';

type Exporter = InstanceType<typeof OTLPTraceExporter>;

export interface Exported {
  batches: number;
  /** Spans of batches that the SDK reported as delivered, and of those that it gave up. */
  delivered: number;
  givenUp: number;
}

/** @param batchSpans how many spans the SDK puts into one request @param bytes of text in each span */
export async function exportSpans(url: string, spans: number, batchSpans: number, bytes: number): Promise<Exported> {
  const patienceMs = 120_000;
  Object.assign(process.env, {
    OTEL_BSP_MAX_QUEUE_SIZE: String(spans),
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: String(batchSpans),
    // Nothing leaves before the flush.
    OTEL_BSP_SCHEDULE_DELAY: String(patienceMs * 10),
    OTEL_BSP_EXPORT_TIMEOUT: String(patienceMs),
  });
  const exporter = new OTLPTraceExporter({ url: `${url}/v1/traces`, concurrencyLimit: 500, timeoutMillis: patienceMs });
  const found: Exported = { batches: 0, delivered: 0, givenUp: 0 };
  const send = exporter.export.bind(exporter);
  exporter.export = (batch: Parameters<Exporter['export']>[0], done: Parameters<Exporter['export']>[1]) =>
    send(batch, (result) => {
      found.batches++;
      if (result.code === 0) found.delivered += batch.length;
      else found.givenUp += batch.length;
      done(result);
    });
  const sdk = new NodeSDK({ serviceName: 'uploads', traceExporter: exporter, instrumentations: [] });
  sdk.start();
  const tracer = trace.getTracer('uploads');
  const text = 'x'.repeat(bytes);
  for (let n = 0; n < spans; n++) tracer.startSpan('step', { attributes: { n, text } }).end();
  await sdk.shutdown();
  trace.disable();
  return found;
}
