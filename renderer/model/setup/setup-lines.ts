/** Endpoint and credentials of an exporter. A gateway without sign-in needs the endpoint only. */
export interface Target {
  origin: string;
  /** Null without apps. */
  appId: string | null;
  /** Null for a placeholder. */
  key: string | null;
}

export const keyPlace = '<API_KEY>';

/** Headers in the form of OpenTelemetry exporters; null for none. */
export const headersOf = ({ appId, key }: Target): Record<string, string> | null =>
  appId === null ? null : { authorization: key ?? keyPlace, 'x-service-app-id': appId };

/** Line with the credentials; '' without. */
export function headerLine(target: Target): string {
  const pairs = Object.entries(headersOf(target) ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : `export OTEL_EXPORTER_OTLP_HEADERS="${pairs.join(',')}"`;
}

/** The environment variables that configure any OpenTelemetry SDK. */
export const environmentLines = (target: Target): string =>
  [`export OTEL_EXPORTER_OTLP_ENDPOINT=${target.origin}`, 'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf', headerLine(target)]
    .filter((line) => line !== '')
    .join('\n');

/** The command that creates an eval run. */
export function evalRunCommand(target: Target): string {
  const headers = Object.entries({ ...headersOf(target), 'content-type': 'application/json' });
  return [`curl -X POST '${target.origin}/v1/evals/runs'`, ...headers.map(([name, value]) => `-H '${name}: ${value}'`), "-d '{}'"].join(
    ' ',
  );
}
