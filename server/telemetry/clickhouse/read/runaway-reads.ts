/** Signs of runaways, and the thresholds by which they are found. */
import type { Runaway, RunawayQuery, RunawayThreshold } from '../../../../shared/contract/tracing/runaways.ts';
import { runKey } from '../../../platform/run-key.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { termKey } from '../../sqlite/file/codes.ts';
import type { InMinute, WatchedWindow } from '../../window-reader.ts';
import type { RunawayRow } from '../stored-rows.ts';
import { ofApp, type ReadContext, readIds } from './read-context.ts';
import { all, integer, isIn, raw, type Sql, sql, text } from './sql.ts';
import { hasTerm, isOfApp } from './trace-where.ts';

const hasService = `SELECT 1 FROM span FINAL WHERE ${ofApp} AND service = {service:String} LIMIT 1`;
const thresholds = `SELECT service, rule, threshold FROM runaway_threshold FINAL WHERE ${ofApp} ORDER BY service, rule`;

interface FoundTrace {
  trace_id: string;
  name: string;
  run_id: string | null;
}

export class RunawayReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async list(scope: Scope, { trace_ids, running, limit }: RunawayQuery): Promise<Encoded<Runaway[]>> {
    const where = [isOfApp];
    if (trace_ids !== undefined) where.push(isIn('trace_id', readIds(trace_ids)));
    if (running !== undefined) where.push(raw(running === 'true' ? 'ended_ms = 0' : 'ended_ms != 0'));
    const rows = await this.#context.find<RunawayRow>(
      scope,
      sql`SELECT trace_id, rule, service, subject, value, cost, cost_per_minute, found_ms, updated_ms, ended_ms
          FROM runaway FINAL WHERE ${all(where)}
          ORDER BY ended_ms = 0 DESC, found_ms DESC, trace_id, rule LIMIT ${integer(limit)}`,
    );
    const traces = await this.#tracesOf(scope, rows);
    return Encoded.of(
      rows.flatMap((row) => {
        const trace = traces.get(row.trace_id);
        return trace ? [runawayOf(row, trace)] : [];
      }),
    );
  }

  async thresholds(scope: Scope): Promise<Encoded<RunawayThreshold[]>> {
    return Encoded.of(await this.#context.inApp<RunawayThreshold>(scope, thresholds));
  }

  async hasService(scope: Scope, service: string): Promise<Encoded<boolean>> {
    return Encoded.of(service === '' || (await this.#context.inApp(scope, hasService, { service })).length > 0);
  }

  async inWindow(scope: Scope, window: WatchedWindow): Promise<Encoded<number>> {
    const [row] = await this.#context.find<{ count: number }>(
      scope,
      sql`SELECT uniqExact(trace_id) AS count FROM runaway FINAL WHERE ${foundIn(window)}`,
    );
    return Encoded.of(row?.count ?? 0);
  }

  async inMinutes(scope: Scope, window: WatchedWindow): Promise<Encoded<(InMinute & { trace: string })[]>> {
    const minute = sql`intDiv(found_ms - ${integer(window.from_ms)}, ${integer(60_000)}) AS minute`;
    const rows = await this.#context.find<InMinute & { trace: string }>(
      scope,
      sql`SELECT DISTINCT ${minute}, trace_id AS trace FROM runaway FINAL WHERE ${foundIn(window)}`,
    );
    return Encoded.of(rows);
  }

  async #tracesOf(scope: Scope, rows: readonly RunawayRow[]): Promise<Map<string, FoundTrace>> {
    const ids = [...new Set(rows.map(({ trace_id }) => trace_id))];
    if (ids.length === 0) return new Map();
    const isFound = isIn('trace_id', ids);
    const traces = await this.#context.find<FoundTrace>(
      scope,
      sql`SELECT trace_id, name, if(mapContains(metadata, ${text(runKey)}), metadata[${text(runKey)}], NULL) AS run_id
          FROM trace FINAL WHERE ${isOfApp} AND ${isFound} AND ${inHoursOf(isFound)}`,
    );
    return new Map(traces.map((trace) => [trace.trace_id, trace]));
  }
}

/** Selects the parts of the table of traces to read. @param isFound condition on their ids */
const inHoursOf = (isFound: Sql): Sql => sql`hour IN (SELECT hour FROM place FINAL WHERE ${isOfApp} AND ${isFound})`;

/** @param ids query of the ids of some traces */
const isOfTraces = (ids: Sql, condition: Sql): Sql =>
  sql`trace_id IN (SELECT trace_id FROM trace FINAL
      WHERE ${isOfApp} AND trace_id IN ${ids} AND ${inHoursOf(sql`trace_id IN ${ids}`)} AND ${condition})`;

const isoOf = (ms: number): string => new Date(ms).toISOString();

const runawayOf = ({ trace_id, found_ms, updated_ms, ended_ms, ...row }: RunawayRow, { name, run_id }: FoundTrace): Runaway => ({
  trace_id,
  trace_name: name,
  ...row,
  found_at: isoOf(found_ms),
  updated_at: isoOf(updated_ms),
  ended_at: ended_ms === 0 ? null : isoOf(ended_ms),
  run_id,
});

function foundIn({ from_ms, to_ms, environment }: WatchedWindow) {
  const found = all([isOfApp, sql`found_ms >= ${integer(from_ms)}`, sql`found_ms < ${integer(to_ms)}`]);
  if (environment === null) return found;
  const traces = sql`(SELECT trace_id FROM runaway FINAL WHERE ${found})`;
  return all([found, isOfTraces(traces, hasTerm(termKey.environment, sql`term.2 = ${text(environment)}`))]);
}
