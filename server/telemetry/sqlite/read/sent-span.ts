/** Reads a stored span in the form in which it was received, with its log records. */
import type { RawLog, RawResource, RawScope, SpanData } from '../../../ingest/otlp/raw-span.ts';
import type { EnvironmentAttribution } from '../../../platform/environment-attribution.ts';
import { flag } from '../file/codes.ts';
import type { Documents } from '../file/documents.ts';
import { readStoredId, storeId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import type { Place } from '../write/block-builder.ts';
import type { RecordReader } from './record-reader.ts';

export interface SentSpanRow extends Place {
  trace: number;
  trace_id: unknown;
  span_id: unknown;
  parent_id: unknown;
  flags: number;
  resource: number;
  instrumentation: number;
  /** Null when the environment is an attribute of the span. */
  environment: string | null;
  environment_version: number | null;
}

/** Selects a SentSpanRow from `span`. */
export const sentSpanColumns = `(SELECT trace_id FROM trace WHERE trace.id = span.trace) AS trace_id,
  span.trace, span.span_id, span.parent_id, span.flags, span.resource, span.instrumentation, span.block, span.at, span.size,
  iif(span.environment IS NULL, NULL, coalesce((SELECT value FROM term WHERE term.id = span.environment), '')) AS environment,
  span.environment_version`;

export class SentSpans {
  readonly #records: RecordReader;
  readonly #documents: Documents;
  readonly #logs;

  constructor(db: OpenDatabase, records: RecordReader, documents: Documents) {
    this.#records = records;
    this.#documents = documents;
    this.#logs = db.prepare<[number, unknown], Place>('SELECT block, at, size FROM span_log WHERE trace = ? AND span_id = ? ORDER BY id');
  }

  /** @param withLogs false: without its log records */
  read(row: SentSpanRow, withLogs = true): { sent: SpanData; warnings: string[]; attribution: EnvironmentAttribution | null } {
    const ids = {
      trace_id: readStoredId(row.trace_id),
      span_id: readStoredId(row.span_id),
      parent_id: row.parent_id === null ? null : readStoredId(row.parent_id),
    };
    const { span, warnings } = this.#records.span(row, ids);
    const resource = this.#documents.parsed(row.resource) as RawResource;
    const scope = this.#documents.parsed(row.instrumentation) as RawScope;
    const logs = !withLogs || (row.flags & flag.hasLogs) === 0 ? [] : this.logsOf(row.trace, ids);
    const attribution = row.environment === null ? null : { name: row.environment, version: row.environment_version };
    return { sent: logs.length === 0 ? { span, resource, scope } : { span, resource, scope, logs }, warnings, attribution };
  }

  logAt(place: Place, ids: Pick<RawLog, 'trace_id' | 'span_id'>): RawLog {
    return this.#records.log(place, ids);
  }

  /** Sorted by time; records with equal times in order of arrival. */
  logsOf(trace: number, { trace_id, span_id }: Pick<RawLog, 'trace_id' | 'span_id'>): RawLog[] {
    const logs = this.#logs.all(trace, storeId(span_id)).map((place) => this.#records.log(place, { trace_id, span_id }));
    return logs.sort((a, b) => Number(BigInt(timeOf(a)) - BigInt(timeOf(b))));
  }
}

/** Some senders set only the observed time. */
const timeOf = ({ time_ns, observed_ns }: RawLog): string => (time_ns === '0' ? observed_ns : time_ns);
