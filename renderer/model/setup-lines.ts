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

/** The lines that set any OpenTelemetry SDK up from outside. */
export function environmentLines(target: Target): string {
  const headers = headersOf(target);
  const pairs = headers && Object.entries(headers).map(([name, value]) => `${name}=${value}`);
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${target.origin}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    ...(pairs ? [`export OTEL_EXPORTER_OTLP_HEADERS="${pairs.join(',')}"`] : []),
  ].join('\n');
}
