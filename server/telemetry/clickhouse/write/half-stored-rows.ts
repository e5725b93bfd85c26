/**
 * Rows of commits that ended halfway. A commit inserts into several tables, so a writer that fails or is killed may have stored rows of spans and traces
 * whose place is not stored. When the commit is repeated together with later spans, a row may belong to another hour, which is part of its key, and the
 * first one would stay beside it. So rows that an earlier try may have stored are looked up, and those at other hours are removed. A look-up that takes
 * too long is made again with the next change of the trace.
 */
import type { Scope } from '../../../platform/scope.ts';
import type { WriteRequest } from '../../sqlite/write/writer.ts';
import { StorageError } from '../../storage-error.ts';
import type { AppChanges } from '../loaded/sent-items.ts';
import { partsOf } from '../parameter-lists.ts';
import { ofApp, type ReadContext } from '../read/read-context.ts';
import { appKey } from './app-key.ts';

/** We assume that clocks of gateways differ by less. */
const skewMs = 60_000;

interface StoredRow {
  trace_id: string;
  /** '' for the row of a trace. */
  span_id: string;
  hour: number;
  /** Of its last change. */
  last: string;
}

/** Grouped instead of FINAL, which would read all of an app: an index finds the few parts of the tables that have these ids. */
const storedIn = (table: string, spanId: string, key: string) =>
  `SELECT trace_id, ${spanId} AS span_id, hour, toString(max(ver)) AS last FROM ${table} WHERE ${ofApp} AND trace_id IN {ids:Array(String)}
   GROUP BY ${key} HAVING argMax(gone, ver) = 0`;
const storedRows = `
${storedIn('trace', "''", 'trace_id, hour')}
UNION ALL ${storedIn('span', 'span_id', 'trace_id, span_id, hour')}`;

/** Whether any table has a row that a commit which ended halfway may leave. Texts are not asked for: alone they do no harm. */
const anyRow = `SELECT count() AS found FROM (${['record', 'log', 'span', 'score', 'place', 'trace']
  .map((table) => `SELECT 1 FROM ${table} LIMIT 1`)
  .join(' UNION ALL ')})`;

export class HalfStoredRows {
  readonly #context: Pick<ReadContext, 'rows'>;
  readonly #onFailure: OnFailure;
  /** What was received before may have been tried before. */
  #untilMs: number;
  /** Traces that were looked up since, by app and id. */
  readonly #known = new Set<string>();
  /** Traces whose look-up took too long. */
  readonly #missed = new Set<string>();

  /** Make one when a writer begins, because an earlier one may have ended halfway. */
  constructor(context: Pick<ReadContext, 'rows'>, onFailure: OnFailure) {
    this.#context = context;
    this.#onFailure = onFailure;
    this.#untilMs = Date.now() + skewMs;
  }

  /** Call it before the first write, after earlier writers have ended: an empty database has no commit that ended halfway. */
  async begin(): Promise<void> {
    const untilMs = this.#untilMs;
    const [rows] = await this.#context.rows<{ found: number }>(anyRow);
    // Unless a commit ended halfway meanwhile.
    if (rows?.found === 0 && this.#untilMs === untilMs) this.#untilMs = 0;
  }

  /** A commit ended halfway. */
  expectMore(): void {
    this.#untilMs = Date.now() + skewMs;
    this.#known.clear();
  }

  /** Whether some of these may have been tried before. */
  mayHave(requests: readonly WriteRequest[]): boolean {
    return requests.some((request) => 'batch' in request && request.batch.received_ms < this.#untilMs);
  }

  /** Adds the removal of rows that the changes have at other hours. */
  async removeFrom(changes: readonly AppChanges[], requests: readonly WriteRequest[]): Promise<void> {
    const isRepeated = this.mayHave(requests);
    if (!isRepeated && this.#missed.size === 0) return;
    for (const of of changes) {
      const isDue = (key: string) => this.#missed.has(key) || (isRepeated && !this.#known.has(key));
      const ids = [...tracesOf(of)].filter((id) => isDue(keyOf(of.scope, id)));
      for (const part of partsOf(ids)) {
        const stored = await this.#stored(of.scope, part);
        const missed = new Set(part.filter((id) => this.#missed.delete(keyOf(of.scope, id))));
        if (stored) addRemovals(of, stored, missed);
        else for (const id of part) this.#missed.add(keyOf(of.scope, id));
      }
    }
  }

  /** What takes too long must not keep the changes from being stored. @returns null when it did */
  async #stored({ tenant_id, app_id }: Scope, ids: string[]): Promise<StoredRow[] | null> {
    try {
      return await this.#context.rows<StoredRow>(storedRows, { tenant_id, app_id, ids });
    } catch (error) {
      if (!(error instanceof StorageError) || error.errorKind !== 'slow') throw error;
      this.#onFailure('half_stored_rows_not_found', appKey({ tenant_id, app_id }), error);
      return null;
    }
  }

  /** The changes are stored. */
  keep(changes: readonly AppChanges[]): void {
    if (Date.now() > this.#untilMs + skewMs) this.#known.clear();
    else for (const of of changes) for (const id of tracesOf(of)) this.#known.add(keyOf(of.scope, id));
  }
}

type OnFailure = (event: string, app: string, error: unknown) => void;

const keyOf = ({ tenant_id, app_id }: Scope, id: string): string => JSON.stringify([tenant_id, app_id, id]);

const tracesOf = ({ traces, spans }: AppChanges): Set<string> => new Set([...traces, ...spans].map(({ trace_id }) => trace_id));

/** @param missed traces of whose earlier changes the rows were not looked up, so that those of their other spans may be doubled, too */
function addRemovals({ traces, spans }: AppChanges, stored: readonly StoredRow[], missed: ReadonlySet<string>): void {
  const changed = new Map<string, Set<number>>();
  const note = (key: string, hour: number) => changed.set(key, (changed.get(key) ?? new Set()).add(hour));
  for (const { trace_id, hour } of traces) note(`${trace_id} `, hour);
  for (const { trace_id, span_id, hour } of spans) note(`${trace_id} ${span_id}`, hour);
  const unchanged = stored.filter(({ trace_id, span_id }) => missed.has(trace_id) && !changed.has(`${trace_id} ${span_id}`));
  for (const [key, rows] of Map.groupBy(unchanged, ({ trace_id, span_id }) => `${trace_id} ${span_id}`))
    note(key, rows.reduce((a, b) => (BigInt(a.last) < BigInt(b.last) ? b : a)).hour);
  for (const { trace_id, span_id, hour } of stored) {
    const hours = changed.get(`${trace_id} ${span_id}`);
    if (!hours || hours.has(hour)) continue;
    if (span_id === '') traces.push({ hour, trace_id, gone: 1 });
    else spans.push({ hour, trace_id, span_id, gone: 1 });
  }
}
