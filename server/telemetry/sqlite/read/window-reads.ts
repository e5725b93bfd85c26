/** Sums over the last minutes, for alerts. */
import type { InMinute, RequestSums, ScoreSums, WatchedWindow } from '../../window-reader.ts';
import { flag, statuses, termKey, types } from '../file/codes.ts';
import { keyOf } from '../file/resource-key.ts';
import { boundedCost } from './bounded-sums.ts';
import type { ReadContext } from './read-context.ts';
import { inTime } from './time-limit.ts';

const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');
const notCounted = flag.aggregate | flag.placeholder | flag.pending;
const minuteMs = 60_000;
const longestUs = 3600 * 1e6;
const dayUs = 24 * longestUs;
/** The time limit is checked once in this many rows. */
const checkRows = 1024;
/** As in score-wire.ts: large values are divided before they are summed. */
const part = 2 ** 40;

type CallRow = [status: number, cost: number, duration_ns: number, end_us: number];
type CallBound = [scope: number, first: number, to: number, from: number, to: number];
type ScoreBound = [scope: number, name: string, from: number, to: number];

const calls = `SELECT status, ${boundedCost('cost')}, duration_ns, start_us + duration_ns / 1000 FROM span INDEXED BY span_started
  WHERE scope = ? AND start_us >= ? AND start_us < ? AND start_us + duration_ns / 1000 >= ? AND start_us + duration_ns / 1000 < ?
    AND type = ${call} AND (flags & ${notCounted}) = 0 AND ${inTime('span.id')}`;

/** Since the start of the window, which the driver binds as a real number. */
const minuteOf = (column: string): string => `(${column} - CAST(? AS INTEGER)) / ${minuteMs} AS minute`;

const scoreSums = `count(*) AS count, avg(score / ${part}.0) * ${part}.0 AS mean, min(score) AS min, max(score) AS max
  FROM score WHERE scope = ? AND name = ? AND created_ms >= ? AND created_ms < ? AND ${inTime('score.id')}`;
const scores = `SELECT ${scoreSums}`;
const scoreMinutes = `SELECT ${minuteOf('created_ms')}, ${scoreSums}`;

const foundRunaways = 'FROM runaway WHERE scope = ? AND found_ms >= ? AND found_ms < ?';
const runaways = `SELECT count(DISTINCT trace) ${foundRunaways}`;
const runawayMinutes = `SELECT DISTINCT ${minuteOf('found_ms')}, CAST(trace AS TEXT) AS trace ${foundRunaways}`;

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
  readonly #scoreMinutes;
  readonly #environmentScoreMinutes;
  readonly #runawayMinutes;
  readonly #environmentRunawayMinutes;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    this.#calls = db.prepare<CallBound, CallRow>(calls).raw();
    this.#environmentCalls = db.prepare<[...CallBound, environment: number], CallRow>(`${calls} AND ${isOfEnvironment}`).raw();
    this.#runaways = db.prepare<[number, number, number], number>(runaways).pluck();
    this.#environmentRunaways = db.prepare<[number, number, number, number], number>(`${runaways} AND ${isOfEnvironment}`).pluck();
    const ofMinutes = <Row extends InMinute, Bound extends unknown[]>(select: string, isOf: string, end: string) =>
      [db.prepare<Bound, Row>(`${select} ${end}`), db.prepare<[...Bound, ...number[]], Row>(`${select} AND ${isOf} ${end}`)] as const;
    [this.#runawayMinutes, this.#environmentRunawayMinutes] = ofMinutes<InMinute & { trace: string }, [number, number, number, number]>(
      ...([runawayMinutes, isOfEnvironment, ''] as const),
    );
    [this.#scoreMinutes, this.#environmentScoreMinutes] = ofMinutes<InMinute & ScoreSums, [number, ...ScoreBound]>(
      ...([scoreMinutes, resourceIsOfEnvironment, 'GROUP BY minute'] as const),
    );
    this.#scores = db.prepare<ScoreBound, ScoreSums>(scores);
    this.#environmentScores = db.prepare<[...ScoreBound, ...number[]], ScoreSums>(`${scores} AND ${resourceIsOfEnvironment}`);
  }

  requests(scope: number, window: WatchedWindow): RequestSums {
    const sums = none();
    for (const row of this.#callsIn(scope, window)) add(sums, row);
    return sums;
  }

  requestMinutes(scope: number, window: WatchedWindow): (InMinute & RequestSums)[] {
    const minutes = new Map<number, InMinute & RequestSums>();
    for (const row of this.#callsIn(scope, window)) {
      const minute = Math.floor((row[3] / 1000 - window.from_ms) / minuteMs);
      const sums = minutes.get(minute) ?? { minute, ...none() };
      add(sums, row);
      minutes.set(minute, sums);
    }
    return [...minutes.values()];
  }

  *#callsIn(scope: number, { from_ms, to_ms, environment }: WatchedWindow): Generator<CallRow> {
    const [from, to] = [from_ms * 1000, to_ms * 1000];
    const bound: CallBound = [scope, from - longestUs, to, from, to];
    const rows =
      environment === null
        ? this.#calls.iterate(...bound)
        : this.#environmentCalls.iterate(...bound, this.#environment(scope, environment));
    let count = 0;
    for (const row of rows) {
      if (!this.#context.damageReporter.isNumeric('database', 'calls of the last hour', row)) continue;
      if (count++ % checkRows === 0) this.#context.limit.check();
      yield row;
    }
  }

  runaways(scope: number, { from_ms, to_ms, environment }: WatchedWindow): number {
    if (environment === null) return this.#runaways.get(scope, from_ms, to_ms) ?? 0;
    return this.#environmentRunaways.get(scope, from_ms, to_ms, this.#environment(scope, environment)) ?? 0;
  }

  runawayMinutes(scope: number, { from_ms, to_ms, environment }: WatchedWindow): (InMinute & { trace: string })[] {
    const bound = [from_ms, scope, from_ms, to_ms] as const;
    return environment === null
      ? this.#runawayMinutes.all(...bound)
      : this.#environmentRunawayMinutes.all(...bound, this.#environment(scope, environment));
  }

  scoreMinutes(scope: number, { from_ms, to_ms, environment }: WatchedWindow, name: string): (InMinute & ScoreSums)[] {
    const bound = [from_ms, scope, name, from_ms, to_ms] as const;
    if (environment === null) return this.#scoreMinutes.all(...bound);
    const environmentBound = [this.#environment(scope, environment), scope, from_ms * 1000 - dayUs];
    return this.#environmentScoreMinutes.all(...bound, ...environmentBound, ...environmentBound);
  }

  scores(scope: number, { from_ms, to_ms, environment }: WatchedWindow, name: string): ScoreSums {
    const bound: ScoreBound = [scope, name, from_ms, to_ms];
    if (environment === null) return this.#scores.get(...bound) ?? noScores;
    const term = this.#environment(scope, environment);
    const environmentBound = [term, scope, from_ms * 1000 - dayUs];
    return this.#environmentScores.get(...bound, ...environmentBound, ...environmentBound) ?? noScores;
  }

  #environment(scope: number, name: string): number {
    return this.#context.lookup.term(scope, termKey.environment, name);
  }
}

const noScores: ScoreSums = { count: 0, mean: null, min: null, max: null };

const none = (): RequestSums => ({ count: 0, errors: 0, latency_ms: 0, cost: 0 });

function add(sums: RequestSums, [status, cost, duration_ns]: CallRow): void {
  sums.count++;
  if (status === failed) sums.errors++;
  sums.latency_ms += duration_ns / 1e6;
  sums.cost += cost;
}
