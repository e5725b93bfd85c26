/** Rows of the viewer's trace list, and the cursors of what had arrived. */
import type { ListedTrace, ListedTraces, ListedTracesQuery } from '../../../../shared/contract/tracing/trace-list.ts';
import type { Scope } from '../../../platform/scope.ts';
import { flag, kinds, termKey } from '../../sqlite/file/codes.ts';
import { resourceKey } from '../../sqlite/file/resource-key.ts';
import { isoOf } from '../../sqlite/read/iso-time.ts';
import { waitingSpansMax } from '../../sqlite/read/listed-traces.ts';
import { type TraceValues, traceItem } from '../../sqlite/read/wire-items.ts';
import { scoredKey } from '../loaded/score-keys.ts';
import type { TraceRow } from '../stored-rows.ts';
import type { ReadContext } from './read-context.ts';
import { all, integer, isIn, raw, sql } from './sql.ts';
import { itemColumns } from './trace-list.ts';
import { findTraces, tracesByKey } from './trace-page.ts';
import { isOfApp, plainConditions, type TraceConditions } from './trace-where.ts';

interface ListedRow
  extends TraceValues,
    Pick<TraceRow, 'session' | 'user' | 'prompt_name' | 'pending_count' | 'root_service' | 'root_span' | 'input_span' | 'output_span'> {
  models: string[];
}

const listedColumns = `${itemColumns}, session, user, prompt_name, pending_count, root_service, root_span, input_span, output_span,
  arrayMap(term -> term.2, arrayFilter(term -> term.1 = '${termKey.model}', terms)) AS models`;

interface LatestScore {
  resource: string;
  name: string;
  score: number;
  label: string;
  created_ms: number;
  arrival: number;
}

export class ListedTraceReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Null when a cursor is not of this store and app. */
  async list(scope: Scope, query: ListedTracesQuery): Promise<ListedTraces | null> {
    const { cursors } = this.#context;
    const arrivalOf = (cursor: string | undefined) => (cursor === undefined ? undefined : cursors.decrypt('arrivedTraces', scope, cursor));
    const [until, after] = [arrivalOf(query.arrived), arrivalOf(query.arrived_after)];
    if (until === null || after === null) return null;
    // What arrives from here on is not in this list, so that it is new to the next.
    const newest = await this.#newest(scope);
    const arrivals = { arrivedUntil: Math.min(until ?? newest, newest), arrivedAfter: after };
    const { keys, total, totalIsLowerBound } = await findTraces(this.#context, scope, { ...query, ...arrivals });
    const rows = await tracesByKey<ListedRow>(this.#context, scope, keys, listedColumns);
    const [scores, waiting, hidden] = await Promise.all([
      this.#scoresOf(scope, rows),
      this.#waitingIn(scope, rows),
      this.#hidden(scope, { ...query, ...arrivals }),
    ]);
    return {
      rows: rows.map((row) => ({ ...listedTraceOf(row), scores: scores(row), waiting_for: waiting.get(row.trace_id) ?? null })),
      total,
      ...(totalIsLowerBound && { total_is_lower_bound: true as const }),
      bookkeeping_hidden: hidden,
      arrived: cursors.encrypt('arrivedTraces', scope, newest),
    };
  }

  /** Order of arrival of the last trace. Rows that no longer hold have 0. */
  async #newest(scope: Scope): Promise<number> {
    const [row] = await this.#context.find<{ newest: number }>(scope, sql`SELECT max(arrival) AS newest FROM trace WHERE ${isOfApp}`);
    return row?.newest ?? 0;
  }

  async #hidden(scope: Scope, { bookkeeping, from, to, arrivedUntil, arrivedAfter }: TraceConditions): Promise<number> {
    if (bookkeeping === 'include') return 0;
    const where = plainConditions({ from, to, arrivedUntil, arrivedAfter, bookkeeping: 'include' });
    const [row] = await this.#context.find<{ hidden: number }>(
      scope,
      sql`SELECT count() AS hidden FROM trace FINAL WHERE ${all(where)} AND bookkeeping = 1`,
    );
    return row?.hidden ?? 0;
  }

  async #scoresOf(scope: Scope, rows: readonly ListedRow[]): Promise<(row: ListedRow) => ListedTrace['scores']> {
    const keys = new Set(rows.flatMap(keysOf));
    if (keys.size === 0) return () => [];
    const latest = (column: string) => raw(`argMax(${column}, (created_ms, arrival)) AS latest_${column}`);
    const scores = await this.#context.find<LatestScore>(
      scope,
      sql`SELECT resource, name, latest_score AS score, latest_label AS label, at.1 AS created_ms, at.2 AS arrival FROM (
            SELECT resource, name, ${latest('score')}, ${latest('label')}, max((created_ms, arrival)) AS at
            FROM score FINAL WHERE ${isOfApp} AND ${isIn('resource', [...keys])} GROUP BY resource, name)`,
    );
    const byResource = Map.groupBy(scores, ({ resource }) => resource);
    return (row) => latestOfNames(keysOf(row).flatMap((key) => byResource.get(key) ?? []));
  }

  /** The running span of each trace that started last. */
  async #waitingIn(scope: Scope, rows: readonly ListedRow[]): Promise<Map<string, ListedTrace['waiting_for']>> {
    const ids = rows
      .filter(({ pending_count, span_count }) => pending_count > 0 && span_count <= waitingSpansMax)
      .map((row) => row.trace_id);
    if (ids.length === 0) return new Map();
    const isListed = isIn('trace_id', ids);
    const found = await this.#context.find<{ trace_id: string; last: [start_us: number, arrival: number, name: string, kind: number] }>(
      scope,
      sql`SELECT trace_id, max((start_us, arrival, name, kind)) AS last FROM span FINAL
          WHERE ${isOfApp} AND ${isListed} AND bitAnd(flags, ${integer(flag.pending)}) != 0 AND hour IN (
            SELECT arrayJoin(span_hours) FROM place FINAL WHERE ${isOfApp} AND ${isListed})
          GROUP BY trace_id`,
    );
    return new Map(
      found.map(({ trace_id, last: [start_us, , name, kind] }) => [
        trace_id,
        { name, kind: kinds[kind] ?? 'function', since: isoOf(start_us) },
      ]),
    );
  }
}

/** The keys of the scores of a trace and of its root span. */
const keysOf = ({ trace_id, root_span }: ListedRow): string[] =>
  [trace_id, ...(root_span === '' ? [] : [root_span])].map((id) => scoredKey(resourceKey(id)));

/** The latest score of each name, sorted by name. */
function latestOfNames(scores: readonly LatestScore[]): ListedTrace['scores'] {
  const sorted = [...scores].sort((a, b) => a.created_ms - b.created_ms || a.arrival - b.arrival);
  const byName = new Map(sorted.map(({ name, score, label }) => [name, { name, score, label }]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const listedTraceOf = (row: ListedRow): Omit<ListedTrace, 'scores' | 'waiting_for'> => ({
  ...traceItem(row),
  session_id: row.session || null,
  user_id: row.user || null,
  prompt_name: row.prompt_name || null,
  models: row.models,
  service: row.root_service || null,
  running: row.pending_count,
  input_span: row.input_span || null,
  output_span: row.output_span || null,
});
