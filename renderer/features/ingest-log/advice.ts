/** One line of advice for a request: the reason from the gateway, with the next step. */
import type { IngestLogEntry } from '../../../shared/contract/viewer/viewer.ts';

type Known = (entry: IngestLogEntry) => string | null;

const json = 'application/json';
const protobuf = 'application/x-protobuf';

/** Corrections of common wrong paths of exporters. */
function rightPath({ path }: IngestLogEntry): string {
  if (path === '/' || path === '') return 'Send to /v1/traces: the exporter was given the address without the path.';
  if (/opentelemetry\.proto\.collector/.test(path))
    return 'This is gRPC: send it to port 4317, once the standard ports are on, or set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.';
  if (path.endsWith('/v1/traces'))
    return `Set OTEL_EXPORTER_OTLP_ENDPOINT to this address alone, without ${path.slice(0, -'/v1/traces'.length)}.`;
  return 'Traces go to /v1/traces, GenAI logs to /v1/logs. Correct the path of the exporter.';
}

const byCode: Record<string, Known> = {
  not_found: rightPath,
  invalid_otlp_payload: ({ media_type, message }) =>
    message.includes('resourceSpans')
      ? 'The body is JSON but no OTLP export: send {"resourceSpans": […]}.'
      : media_type.startsWith(json)
        ? `If the exporter writes protobuf, let it say Content-Type: ${protobuf}.`
        : null,
  protobuf_decode_failed: () => `If the exporter writes JSON, let it say Content-Type: ${json}.`,
  invalid_content_encoding: () => 'The body is not what Content-Encoding says. Compress with gzip: OTEL_EXPORTER_OTLP_COMPRESSION=gzip.',
  unsupported_media_type: ({ message }) =>
    message.startsWith('Content-Encoding')
      ? 'Set OTEL_EXPORTER_OTLP_COMPRESSION=gzip, or compression: zstd in a collector.'
      : `Send ${protobuf} or ${json}.`,
  payload_too_large: () => 'Export in smaller batches: OTEL_BSP_MAX_EXPORT_BATCH_SIZE=128.',
  service_unavailable: () => 'Nothing to do: exporters try again by themselves.',
  storage_full: () => 'Free some disk space. What was stored is safe; exporters try again.',
  storage_unavailable: () => 'See the page “Storage”. Exporters try again by themselves.',
  host_not_allowed: () => 'Address the gateway as localhost, 127.0.0.1 or [::1], with its port.',
  origin_not_allowed: () => 'Only pages served from localhost may send spans from a browser.',
  invalid_request_body: () => 'The sender gave up: raise OTEL_EXPORTER_OTLP_TIMEOUT, and flush before the program ends.',
};

/** Null when nothing needs to be done. */
export function adviceOn(entry: IngestLogEntry): string | null {
  if (entry.code !== null) return byCode[entry.code]?.(entry) ?? null;
  if (entry.spans_rejected > 0)
    return 'The named spans lack what a span must have, or repeat ids with other contents; correct their sender.';
  if (entry.path === '/v1/traces' && entry.spans_accepted > 0 && isUnmapped(entry))
    return 'No GenAI convention was recognised: add an instrumentation of your LLM library to see prompts, tokens and costs.';
  return entry.hint || null;
}

const isUnmapped = ({ families }: IngestLogEntry) => Object.keys(families).every((family) => family === '');

/** `aisdk 3, plain 2`: most first. */
export const listed = (counts: Record<string, number>, nameless: string): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, spans]) => `${name || nameless} ${spans}`)
    .join(', ');
