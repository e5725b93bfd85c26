/** Requests that were accepted and of which nothing is kept: what its sender should turn on, so that there is something to see. */
import type { IngestLogEntry } from '../../shared/contract/viewer.ts';

type Outcome = Pick<IngestLogEntry, 'path' | 'status' | 'spans_accepted' | 'spans_duplicate' | 'spans_rejected'>;

const turnOn = 'Turn on logs or traces: OTEL_LOGS_EXPORTER=otlp for Claude Code, OTEL_TRACES_EXPORTER=otlp for any SDK.';

/** Null when something of it is kept, or it was refused. */
export function whatToTurnOn({ path, status, spans_accepted, spans_duplicate, spans_rejected }: Outcome): string | null {
  if (status >= 400 || spans_accepted + spans_duplicate + spans_rejected > 0) return null;
  if (path.startsWith('/v1/metrics')) return `Metrics are not kept. ${turnOn}`;
  if (path.startsWith('/v1/logs'))
    return 'None of its records belongs to a span or to a prompt of a coding agent. Turn traces on as well: OTEL_TRACES_EXPORTER=otlp.';
  return null;
}
