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

/** The gateway that commands use unless they are told another. */
const usualOrigins = ['http://localhost:9418', 'http://127.0.0.1:9418'];

/**
 * The command that changes the settings of a coding agent (docs/cli.md); none for a gateway with sign-in, which wants a key in them.
 * @param agent as the command names it
 */
export const connectSteps = ({ origin, appId }: Target, agent: string): { title: string; code: string }[] =>
  appId !== null
    ? []
    : [
        {
          title: 'One command: it shows what it would change, asks, and can undo it (--remove)',
          code: `glasshouse connect ${agent}${usualOrigins.includes(origin) ? '' : ` --url ${origin}`}`,
        },
      ];

/** The command that creates an eval run. */
export function evalRunCommand(target: Target): string {
  const headers = Object.entries({ ...headersOf(target), 'content-type': 'application/json' });
  return [`curl -X POST '${target.origin}/v1/evals/runs'`, ...headers.map(([name, value]) => `-H '${name}: ${value}'`), "-d '{}'"].join(
    ' ',
  );
}
