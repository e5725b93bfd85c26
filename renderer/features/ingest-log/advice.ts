/** One line of advice on a request: how to fix it, or what to do next. */
import type { IngestLogEntry } from '../../../shared/contract/viewer/viewer.ts';

type Advice = (entry: IngestLogEntry) => string | null;

const json = 'application/json';
const protobuf = 'application/x-protobuf';

/** Advice on wrong paths that are common in exporter settings. */
function pathAdvice({ path }: IngestLogEntry): string {
  if (path === '/' || path === '') return 'Send to /v1/traces: the exporter is configured with the address without the path.';
  if (/opentelemetry\.proto\.collector/.test(path))
    return 'This is gRPC: send it to port 4317, once the standard ports are on, or set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.';
  if (path.endsWith('/v1/traces'))
    return `Set OTEL_EXPORTER_OTLP_ENDPOINT to this address alone, without ${path.slice(0, -'/v1/traces'.length)}.`;
  return 'Traces go to /v1/traces, GenAI logs to /v1/logs. Correct the path of the exporter.';
}

const byCode: Record<string, Advice> = {
  not_found: pathAdvice,
  invalid_otlp_payload: ({ media_type, message }) =>
    message.includes('resourceSpans')
      ? 'The body is JSON, but not an OTLP export request: send {"resourceSpans": […]}.'
      : media_type.startsWith(json)
        ? `If the exporter writes protobuf, set Content-Type: ${protobuf}.`
        : null,
  protobuf_decode_failed: () => `If the exporter writes JSON, set Content-Type: ${json}.`,
  invalid_content_encoding: () => 'The body does not match Content-Encoding. Compress with gzip: OTEL_EXPORTER_OTLP_COMPRESSION=gzip.',
  unsupported_media_type: ({ message }) =>
    message.startsWith('Content-Encoding')
      ? 'Set OTEL_EXPORTER_OTLP_COMPRESSION=gzip, or compression: zstd in a collector.'
      : `Send ${protobuf} or ${json}.`,
  payload_too_large: () => 'Export in smaller batches: OTEL_BSP_MAX_EXPORT_BATCH_SIZE=128.',
  service_unavailable: () => 'Nothing to do: exporters retry automatically.',
  storage_full: () => 'Free some disk space. Stored data is safe; exporters retry automatically.',
  storage_unavailable: () => 'See the Storage page. Exporters retry automatically.',
  host_not_allowed: () => 'Address the gateway as localhost, 127.0.0.1 or [::1], with its port.',
  origin_not_allowed: () => 'Only pages served from localhost may send spans from a browser.',
  invalid_request_body: () => 'The sender timed out: increase OTEL_EXPORTER_OTLP_TIMEOUT, and flush before the program ends.',
};

/** Null when nothing needs to be done. */
export function adviceOn(entry: IngestLogEntry): string | null {
  if (entry.code !== null) return byCode[entry.code]?.(entry) ?? null;
  if (entry.spans_rejected > 0) return 'The listed spans lack required fields, or reuse ids with different contents. Fix the sender.';
  if (entry.path === '/v1/traces' && entry.spans_accepted > 0 && isUnmapped(entry))
    return 'No GenAI convention was recognised: add an instrumentation of your LLM library to see prompts, tokens and costs.';
  return entry.hint || null;
}

const isUnmapped = ({ families }: IngestLogEntry) => Object.keys(families).every((family) => family === '');

/** Counts as text in descending order, such as `aisdk 3, plain 2`. */
export const listed = (counts: Record<string, number>, emptyLabel: string): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, spans]) => `${name || emptyLabel} ${spans}`)
    .join(', ');
