/** Where spans go and what they carry to be let in. A gateway that asks nobody needs the address alone. */
export interface Target {
  origin: string;
  /** Null where there are no apps. */
  appId: string | null;
  /** Null while nobody has one: the lines then hold a place for it. */
  key: string | null;
}

export const keyPlace = '<API_KEY>';

/** As the exporters of OpenTelemetry take them; null where none are needed. */
export const headersOf = ({ appId, key }: Target): Record<string, string> | null =>
  appId === null ? null : { authorization: key ?? keyPlace, 'x-service-app-id': appId };

/** The line with what lets a program in; '' where nothing is needed. */
export function headerLine(target: Target): string {
  const pairs = Object.entries(headersOf(target) ?? {}).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? '' : `export OTEL_EXPORTER_OTLP_HEADERS="${pairs.join(',')}"`;
}

/** The lines that set any OpenTelemetry SDK up from outside. */
export const environmentLines = (target: Target): string =>
  [`export OTEL_EXPORTER_OTLP_ENDPOINT=${target.origin}`, 'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf', headerLine(target)]
    .filter((line) => line !== '')
    .join('\n');
