/** Compares the rows of traces that lists show: what was derived from their spans on each side. */
import { ofApp } from '../../telemetry/clickhouse/read/read-context.ts';
import { hourOf } from '../../telemetry/clickhouse/stored-rows.ts';
import { readStoredId } from '../../telemetry/sqlite/file/id-codec.ts';
import { isMoved, type SourceApp, type TelemetrySource } from './telemetry-source.ts';
import type { TelemetryTarget } from './telemetry-target.ts';

const term = (column: string) => `coalesce((SELECT value FROM term WHERE term.id = trace.${column}), '') AS ${column}`;

const numbers = [
  ...['status', 'start_us', 'end_us', 'listed_us', 'latency_ns', 'longest_ns', 'tokens', 'input_tokens', 'output_tokens'],
  ...['span_count', 'error_count', 'pending_count', 'bookkeeping'],
];
const names = ['name', 'session', 'user', 'session_name', 'prompt_name', 'trace_name'];
const texts = ['input_preview', 'output_preview'];

/** Sums of costs are of floating point numbers, added in any order. */
export const costTolerance = 1e-9;
const tracesAtOnce = 2_000;

type TraceRow = Record<string, unknown> & { listed_us: number; cost: number; has_logs?: number };

/** Costs of traces, in US dollars. */
export interface CostChange {
  traces: number;
  before: number;
  after: number;
}

export interface ComparedRollups {
  traces: number;
  /** Columns that differ, by trace; none for a trace that only one side has. */
  different: Map<string, string[]>;
  /** Traces with log records of which only the costs differ: those are derived in the cluster, with the prices of today. */
  costs: CostChange;
}

export class RollupComparison {
  readonly #target: TelemetryTarget;
  readonly #upper;
  readonly #rows;

  constructor({ db }: TelemetrySource, target: TelemetryTarget) {
    this.#target = target;
    const from = `FROM trace JOIN scope ON scope.id = trace.scope WHERE trace.scope = ? AND trace.span_count > 0 AND ${isMoved}`;
    this.#upper = db
      .prepare<[number, number], number>(`SELECT listed_us ${from} AND listed_us > ? ORDER BY listed_us LIMIT 1 OFFSET ${tracesAtOnce - 1}`)
      .pluck();
    this.#rows = db.prepare<[number, number, number], TraceRow>(
      `SELECT trace_id, cost, tags, EXISTS (SELECT 1 FROM span_log WHERE span_log.trace = trace.id) AS has_logs,
         ${[...numbers, ...texts].map((column) => `trace.${column}`).join(', ')}, ${names.map(term).join(', ')} ${from}
       AND listed_us > ? AND listed_us <= ?`,
    );
  }

  async compare(app: SourceApp): Promise<ComparedRollups> {
    const result: ComparedRollups = { traces: 0, different: new Map(), costs: { traces: 0, before: 0, after: 0 } };
    for (let after = -1; ; ) {
      const upTo = this.#upper.get(app.id, after) ?? Number.MAX_SAFE_INTEGER;
      const here = new Map(
        this.#rows
          .all(app.id, after, upTo)
          .map((row) => [readStoredId(row['trace_id']), { ...row, tags: JSON.parse(String(row['tags'])) }]),
      );
      const there = await this.#stored(app, after, upTo);
      for (const id of new Set([...here.keys(), ...there.keys()])) {
        const columns = differentColumns(here.get(id), there.get(id));
        if (columns?.join() === 'cost' && here.get(id)?.has_logs === 1) addCosts(result.costs, here.get(id), there.get(id));
        else if (columns) result.different.set(id, [...(result.different.get(id) ?? []), ...columns]);
      }
      result.traces += here.size;
      if (upTo === Number.MAX_SAFE_INTEGER) return result;
      after = upTo;
    }
  }

  async #stored({ tenant_id, app_id }: SourceApp, after: number, upTo: number): Promise<Map<string, TraceRow>> {
    const rows = await this.#target.rows<TraceRow>(
      `SELECT trace_id, cost, tags, ${[...numbers, ...texts, ...names].join(', ')} FROM trace FINAL
       WHERE ${ofApp} AND (hour = 0 OR hour BETWEEN {first:UInt32} AND {last:UInt32}) AND listed_us > {after:Int64} AND listed_us <= {upTo:Int64}`,
      { tenant_id, app_id, after, upTo, first: hourOf(after), last: hourOf(upTo) || 2 ** 32 - 1 },
    );
    return new Map(rows.map((row) => [String(row['trace_id']), row]));
  }
}

function addCosts(costs: CostChange, here: TraceRow | undefined, there: TraceRow | undefined): void {
  costs.traces++;
  costs.before += here?.cost ?? 0;
  costs.after += there?.cost ?? 0;
}

/** Null for rows that are equal. */
function differentColumns(here: TraceRow | undefined, there: TraceRow | undefined): string[] | null {
  if (!here || !there) return [];
  const columns = [...numbers, ...names, ...texts].filter((column) => here[column] !== there[column]);
  if (Math.abs(here.cost - there.cost) > costTolerance * Math.max(1, Math.abs(here.cost))) columns.push('cost');
  if (sorted(here['tags']) !== sorted(there['tags'])) columns.push('tags');
  return columns.length > 0 ? columns : null;
}

const sorted = (tags: unknown): string => JSON.stringify([...(tags as string[])].sort());
