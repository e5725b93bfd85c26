/** Sums over the last minutes, for alerts. */
import type { RequestSums, ScoreSums, WatchedWindow } from '../../window-reader.ts';
import { flag, statuses, termKey, types } from '../file/codes.ts';
import { keyOf } from '../file/resource-key.ts';
import { boundedCost } from './bounded-sums.ts';
import type { ReadContext } from './read-context.ts';
import { inTime } from './time-limit.ts';

const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');
const notCounted = flag.aggregate | flag.placeholder | flag.pending;
const longestUs = 3600 * 1e6;
const dayUs = 24 * longestUs;
/** The time limit is checked once in this many rows. */
const checkRows = 1024;
/** As in score-wire.ts: large values are divided before they are summed. */
const part = 2 ** 40;

type CallRow = [status: number, cost: number, duration_ns: number];
type CallBound = [scope: number, first: number, to: number, from: number, to: number];
type ScoreBound = [scope: number, name: string, from: number, to: number];

const calls = `SELECT status, ${boundedCost('cost')}, duration_ns FROM span INDEXED BY span_started
  WHERE scope = ? AND start_us >= ? AND start_us < ? AND start_us + duration_ns / 1000 >= ? AND start_us + duration_ns / 1000 < ?
    AND type = ${call} AND (flags & ${notCounted}) = 0 AND ${inTime('span.id')}`;

const scores = `SELECT count(*) AS count, avg(score / ${part}.0) * ${part}.0 AS mean, min(score) AS min, max(score) AS max
  FROM score WHERE scope = ? AND name = ? AND created_ms >= ? AND created_ms < ? AND ${inTime('score.id')}`;

const runaways = 'SELECT count(DISTINCT trace) FROM runaway WHERE scope = ? AND found_ms >= ? AND found_ms < ?';

const isOfEnvironment = 'trace IN (SELECT trace FROM all_trace_terms WHERE term = ?)';
const environmentTraces = `trace INDEXED BY trace_listed CROSS JOIN all_trace_terms AS terms ON terms.term = ? AND terms.trace = trace.id`;
const recent = 'trace.scope = ? AND trace.listed_us >= ? AND trace.span_count > 0';
const resourceIsOfEnvironment = `resource IN (SELECT ${keyOf('trace_id')} FROM ${environmentTraces} WHERE ${recent}
  UNION ALL SELECT ${keyOf('span_id')} FROM ${environmentTraces} CROSS JOIN span ON span.trace = trace.id WHERE ${recent})`;

export class WindowReads {
  readonly #context: ReadContext;
  readonly #calls;
  readonly #environmentCalls;
  readonly #scores;
  readonly #environmentScores;
  readonly #runaways;
  readonly #environmentRunaways;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    this.#calls = db.prepare<CallBound, CallRow>(calls).raw();
    this.#environmentCalls = db.prepare<[...CallBound, environment: number], CallRow>(`${calls} AND ${isOfEnvironment}`).raw();
    this.#runaways = db.prepare<[number, number, number], number>(runaways).pluck();
    this.#environmentRunaways = db.prepare<[number, number, number, number], number>(`${runaways} AND ${isOfEnvironment}`).pluck();
    this.#scores = db.prepare<ScoreBound, ScoreSums>(scores);
    this.#environmentScores = db.prepare<[...ScoreBound, ...number[]], ScoreSums>(`${scores} AND ${resourceIsOfEnvironment}`);
  }

  requests(scope: number, { from_ms, to_ms, environment }: WatchedWindow): RequestSums {
    const [from, to] = [from_ms * 1000, to_ms * 1000];
    const bound: CallBound = [scope, from - longestUs, to, from, to];
    const rows =
      environment === null
        ? this.#calls.iterate(...bound)
        : this.#environmentCalls.iterate(...bound, this.#environment(scope, environment));
    const sums: RequestSums = { count: 0, errors: 0, latency_ms: 0, cost: 0 };
    for (const row of rows) {
      if (!this.#context.damageReporter.isNumeric('database', 'calls of the last hour', row)) continue;
      const [status, cost, duration_ns] = row;
      if (sums.count % checkRows === 0) this.#context.limit.check();
      sums.count++;
      if (status === failed) sums.errors++;
      sums.latency_ms += duration_ns / 1e6;
      sums.cost += cost;
    }
    return sums;
  }

  runaways(scope: number, { from_ms, to_ms, environment }: WatchedWindow): number {
    if (environment === null) return this.#runaways.get(scope, from_ms, to_ms) ?? 0;
    return this.#environmentRunaways.get(scope, from_ms, to_ms, this.#environment(scope, environment)) ?? 0;
  }

  scores(scope: number, { from_ms, to_ms, environment }: WatchedWindow, name: string): ScoreSums {
    const bound: ScoreBound = [scope, name, from_ms, to_ms];
    const none: ScoreSums = { count: 0, mean: null, min: null, max: null };
    if (environment === null) return this.#scores.get(...bound) ?? none;
    const term = this.#environment(scope, environment);
    const environmentBound = [term, scope, from_ms * 1000 - dayUs];
    return this.#environmentScores.get(...bound, ...environmentBound, ...environmentBound) ?? none;
  }

  #environment(scope: number, name: string): number {
    return this.#context.lookup.term(scope, termKey.environment, name);
  }
}
