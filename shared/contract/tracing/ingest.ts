import { z } from 'zod';
import { route } from '../core/route.ts';

/** Sent only when something was refused or adjusted, never empty, as OTLP requires. */
export const partialSuccess = z.object({
  rejectedSpans: z.string().meta({ description: 'An int64 as decimal text: spans that were refused.' }),
  errorMessage: z.string(),
});

export const ingestReply = z.object({ data: z.object({ requestId: z.string() }), partialSuccess: partialSuccess.optional() }).meta({
  id: 'IngestReply',
  description: 'The answer to JSON. Protobuf requests get an ExportTraceServiceResponse in protobuf.',
});
export type IngestReply = z.output<typeof ingestReply>;

export const logsReply = z
  .object({
    data: z.object({ requestId: z.string() }),
    partialSuccess: z.object({ rejectedLogRecords: z.string(), errorMessage: z.string() }).optional(),
  })
  .meta({ id: 'LogsReply', description: 'As IngestReply, counting log records.' });
export type LogsReply = z.output<typeof logsReply>;

/** Log records count towards the storage cap, but not towards the quota of spans. */
const logErrors = [
  'invalid_otlp_payload',
  'protobuf_decode_failed',
  'invalid_content_encoding',
  'payload_too_large',
  'unsupported_media_type',
  'storage_cap_exceeded',
  'service_unavailable',
  'storage_full',
  'storage_unavailable',
] as const;
const spanErrors = [...logErrors, 'span_limit_exceeded'] as const;

export const ingest = {
  traces: route({
    id: 'ingest-traces',
    method: 'POST',
    path: '/v1/traces',
    grpc: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    summary: 'Ingest an OTLP ExportTraceServiceRequest, JSON or protobuf, plain or compressed (gzip, deflate, zstd)',
    tag: 'traces',
    permission: 'trace.write',
    credential: 'raw-key',
    body: z.looseObject({ resourceSpans: z.array(z.looseObject({})).optional() }).meta({ id: 'ExportTraceServiceRequest' }),
    reply: ingestReply,
    errors: spanErrors,
    wire: 'otlp',
  }),
  logs: route({
    id: 'ingest-logs',
    method: 'POST',
    path: '/v1/logs',
    grpc: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
    summary: 'Ingest OTLP log records: GenAI content joins its spans, coding agents become traces, the rest is dropped',
    tag: 'traces',
    permission: 'trace.write',
    credential: 'raw-key',
    body: z.looseObject({ resourceLogs: z.array(z.looseObject({})).optional() }).meta({ id: 'ExportLogsServiceRequest' }),
    reply: logsReply,
    errors: logErrors,
    wire: 'otlp',
  }),
  metrics: route({
    id: 'ingest-metrics',
    method: 'POST',
    path: '/v1/metrics',
    grpc: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
    summary: 'Accept and drop OTLP metrics, so that exporters of all signals report no errors',
    tag: 'traces',
    permission: 'trace.write',
    credential: 'raw-key',
    reply: z.object({ data: z.object({ requestId: z.string() }) }),
    errors: ['payload_too_large', 'unsupported_media_type'],
    wire: 'otlp',
  }),
};
