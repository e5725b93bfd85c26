/** The environment of a program under `glasshouse run`: its spans are sent to this gateway and marked with the run. */
import { runKey } from '../platform/run-key.ts';

/** Addresses and keys of another backend, which would send the spans otherBackendSettings or reveal its keys here. */
const otherBackendSettings = ['HEADERS', 'TRACES_HEADERS', 'LOGS_HEADERS', 'METRICS_HEADERS', 'METRICS_ENDPOINT', 'METRICS_PROTOCOL'];

const escaped = (text: string): string => encodeURIComponent(text);

/** @param name of the run, for people */
export function runEnvironment(base: NodeJS.ProcessEnv, url: string, runId: string, name: string | undefined): NodeJS.ProcessEnv {
  const environment = { ...base };
  for (const setting of otherBackendSettings) delete environment[`OTEL_EXPORTER_OTLP_${setting}`];
  const runAttributes = { [`metadata.${runKey}`]: runId, ...(name === undefined ? {} : { 'metadata.glasshouse_run_name': name }) };
  const attributes = Object.entries(runAttributes).map(([key, value]) => `${key}=${escaped(value)}`);
  return {
    ...environment,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    // These take precedence over the general ones.
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${url}/v1/logs`,
    OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: 'http/protobuf',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_RESOURCE_ATTRIBUTES: [base['OTEL_RESOURCE_ATTRIBUTES'], ...attributes].filter(Boolean).join(','),
    GLASSHOUSE_URL: url,
    GLASSHOUSE_RUN_ID: runId,
  };
}
