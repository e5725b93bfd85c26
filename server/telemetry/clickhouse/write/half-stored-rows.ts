/**
 * Rows of commits that ended halfway. A commit inserts into several tables, so a writer that fails or is killed may have stored rows of spans and traces
 * whose place is not stored. When the commit is repeated together with later spans, a row may belong to another hour, which is part of its key, and the
 * first one would stay beside it. So rows that an earlier try may have stored are looked up, and those at other hours are removed.
 */
import type { Scope } from '../../../platform/scope.ts';
import type { WriteRequest } from '../../sqlite/write/writer.ts';
import { StorageError } from '../../storage-error.ts';
import type { AppChanges } from '../loaded/sent-items.ts';
import { partsOf } from '../parameter-lists.ts';
import { ofApp, type ReadContext } from '../read/read-context.ts';

/** Clocks of gateways differ by less. */
const skewMs = 60_000;

interface StoredRow {
  trace_id: string;
  /** '' for the row of a trace. */
  span_id: string;
  hour: number;
}

/** Grouped instead of FINAL, which would read all of an app: an index finds the few parts of the tables that have these ids. */
const storedIn = (table: string, spanId: string, key: string) =>
  `SELECT trace_id, ${spanId} AS span_id, hour FROM ${table} WHERE ${ofApp} AND trace_id IN {ids:Array(String)}
   GROUP BY ${key} HAVING argMax(gone, ver) = 0`;
const storedRows = `
${storedIn('trace', "''", 'trace_id, hour')}
UNION ALL ${storedIn('span', 'span_id', 'trace_id, span_id, hour')}`;

export class HalfStoredRows {
  readonly #context: Pick<ReadContext, 'rows'>;
  /** What was received before may have been tried before. */
  #untilMs: number;
  /** Traces that were looked up since, by app and id. */
  readonly #known = new Set<string>();

  /** Call it when a writer begins, because an earlier one may have ended halfway. */
  constructor(context: Pick<ReadContext, 'rows'>) {
    this.#context = context;
    this.#untilMs = Date.now() + skewMs;
  }

  /** A commit ended halfway. */
  expectMore(): void {
    this.#untilMs = Date.now() + skewMs;
    this.#known.clear();
  }

  /** Adds the removal of rows that the changes have at other hours. */
  async removeFrom(changes: readonly AppChanges[], requests: readonly WriteRequest[]): Promise<void> {
    const isRepeated = requests.some((request) => 'batch' in request && request.batch.received_ms < this.#untilMs);
    if (!isRepeated) return;
    for (const of of changes) {
      const ids = [...tracesOf(of)].filter((id) => !this.#known.has(keyOf(of.scope, id)));
      for (const part of partsOf(ids)) {
        addRemovals(of, await this.#stored(of.scope, part));
      }
    }
  }

  /** What takes too long must not keep the changes from being stored. */
  async #stored({ tenant_id, app_id }: Scope, ids: string[]): Promise<StoredRow[]> {
    try {
      return await this.#context.rows<StoredRow>(storedRows, { tenant_id, app_id, ids });
    } catch (error) {
      if (error instanceof StorageError && error.errorKind === 'slow') return [];
      throw error;
    }
  }

  /** The changes are stored. */
  keep(changes: readonly AppChanges[]): void {
    if (Date.now() > this.#untilMs + skewMs) this.#known.clear();
    else for (const of of changes) for (const id of tracesOf(of)) this.#known.add(keyOf(of.scope, id));
  }
}

const keyOf = ({ tenant_id, app_id }: Scope, id: string): string => JSON.stringify([tenant_id, app_id, id]);

const tracesOf = ({ traces, spans }: AppChanges): Set<string> => new Set([...traces, ...spans].map(({ trace_id }) => trace_id));

function addRemovals({ traces, spans }: AppChanges, stored: readonly StoredRow[]): void {
  const changed = new Map<string, Set<number>>();
  const note = (key: string, hour: number) => changed.set(key, (changed.get(key) ?? new Set()).add(hour));
  for (const { trace_id, hour } of traces) note(`${trace_id} `, hour);
  for (const { trace_id, span_id, hour } of spans) note(`${trace_id} ${span_id}`, hour);
  for (const { trace_id, span_id, hour } of stored) {
    const hours = changed.get(`${trace_id} ${span_id}`);
    if (!hours || hours.has(hour)) continue;
    if (span_id === '') traces.push({ hour, trace_id, gone: 1 });
    else spans.push({ hour, trace_id, span_id, gone: 1 });
  }
}
