/** The environment in which a program sends its spans here, and says of each which run it belongs to. */

/** A key that ingest reads as metadata, so that the run is a filter like any other. */
export const runKey = 'glasshouse_run';

/** Addresses and keys of another backend would send the run, or its secrets, elsewhere. */
const elsewhere = ['HEADERS', 'TRACES_HEADERS', 'LOGS_HEADERS', 'METRICS_HEADERS', 'METRICS_ENDPOINT', 'METRICS_PROTOCOL'];

const escaped = (text: string): string => encodeURIComponent(text);

/** @param name of the run, for people */
export function runEnvironment(before: NodeJS.ProcessEnv, url: string, runId: string, name: string | undefined): NodeJS.ProcessEnv {
  const environment = { ...before };
  for (const setting of elsewhere) delete environment[`OTEL_EXPORTER_OTLP_${setting}`];
  const said = { [`metadata.${runKey}`]: runId, ...(name === undefined ? {} : { 'metadata.glasshouse_run_name': name }) };
  const attributes = Object.entries(said).map(([key, value]) => `${key}=${escaped(value)}`);
  return {
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    // These come before the general ones where they are set.
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${url}/v1/logs`,
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/protobuf',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_RESOURCE_ATTRIBUTES: [before['OTEL_RESOURCE_ATTRIBUTES'], ...attributes].filter(Boolean).join(','),
    GLASSHOUSE_URL: url,
    GLASSHOUSE_RUN_ID: runId,
  };
}
