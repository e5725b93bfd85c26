/** Sums of model calls: by the hour, and over the last minutes. */
import type { MetricsReport } from '../../../../shared/contract/tracing/metrics.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { type CallFigures, metricsReport } from '../../metrics-report.ts';
import type { Window } from '../../search-reader.ts';
import { flag, statuses, termKey, types } from '../../sqlite/file/codes.ts';
import { countable, dollarsMax } from '../../trace-tree.ts';
import type { InMinute, RequestSums, WatchedWindow } from '../../window-reader.ts';
import { hoursBetween, inHours } from '../stored-rows.ts';
import { ofApp, type ReadContext } from './read-context.ts';

const minuteUs = 60 * 1e6;
const hourUs = 60 * minuteUs;
/** Calls that take longer may be missing in a window. */
const longestUs = hourUs;
const isFailed = `status = ${statuses.indexOf('ERROR')}`;

/** Condition that a span is a call that counts: the usage of the others only sums up. */
export const isCountedCall = `type = ${types.indexOf('GENERATION')} AND bitAnd(flags, ${flag.aggregate}) = 0`;
/** Sums of doubles neither overflow nor fail; those of whole numbers are exact as far as doubles are. */
export const sumOf = (column: string): string => `sum(toFloat64(ifNull(${column}, 0)))`;
export const sumOfCost = (column: string): string => `sum(least(ifNull(${column}, 0), ${dollarsMax}))`;

const figures = `count() AS calls, countIf(${isFailed}) AS errors, ${sumOfCost('cost')} AS sum_of_cost,
  sum(toFloat64(ifNull(tokens, ifNull(input_tokens, 0) + ifNull(output_tokens, 0)))) AS tokens,
  ${sumOf('input_tokens')} AS input, ${sumOf('output_tokens')} AS output, ${sumOf('duration_ns')} AS duration`;

interface FiguresRow {
  /** Null for the total. */
  started_hour: number | null;
  is_total: number;
  calls: number;
  errors: number;
  sum_of_cost: number;
  tokens: number;
  input: number;
  output: number;
  duration: number;
  users: number;
  models: number;
}

/** Users are those of whole traces. Traces that ended before the window have no call in it. */
const userOfTrace = `LEFT JOIN (
    SELECT trace_id, user FROM trace FINAL WHERE ${ofApp} AND user != '' AND end_us >= {from:Int64} AND start_us < {to:Int64}
  ) AS traces ON traces.trace_id = calls.trace_id`;

const byHour = `SELECT started_hour, grouping(started_hour) AS is_total, ${figures},
    uniqExactIf(traces.user, traces.user != '') AS users, uniqExactIf(model, model != '') AS models
  FROM (
    SELECT trace_id, intDiv(start_us, ${hourUs}) AS started_hour, status, cost, tokens, input_tokens, output_tokens, duration_ns, model
    FROM span FINAL
    WHERE ${ofApp} AND ${inHours} AND start_us >= {from:Int64} AND start_us < {to:Int64} AND ${isCountedCall}
  ) AS calls ${userOfTrace}
  GROUP BY GROUPING SETS ((started_hour), ())`;

const endUs = 'start_us + toInt64(intDiv(duration_ns, 1000))';
const windowSums = `count() AS count, countIf(${isFailed}) AS errors, sum(duration_ns / 1e6) AS latency_ms, ${sumOfCost('cost')} AS sum_of_cost
  FROM span FINAL
  WHERE ${ofApp} AND ${inHours} AND start_us >= {began:Int64} AND start_us < {to:Int64} AND ${endUs} >= {from:Int64} AND ${endUs} < {to:Int64}
    AND ${isCountedCall} AND bitAnd(flags, ${flag.pending}) = 0`;
const inWindow = `SELECT ${windowSums}`;
const inMinutes = `SELECT intDiv(${endUs} - {from:Int64}, ${minuteUs}) AS minute, ${windowSums}`;
const inEnvironment = `AND trace_id IN (
    SELECT trace_id FROM trace FINAL WHERE ${ofApp} AND end_us >= {from:Int64} AND start_us < {to:Int64}
      AND arrayExists(term -> term.1 = '${termKey.environment}' AND term.2 = {environment:String}, terms))`;

export class RequestReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async requests(scope: Scope, window: Window, extended: boolean): Promise<Encoded<MetricsReport>> {
    const [from, to] = [window.from * 1000, (window.to + 1) * 1000];
    const rows = await this.#context.inApp<FiguresRow>(scope, byHour, { from, to, ...hoursBetween(from, to) });
    const total = rows.find(({ is_total }) => is_total === 1);
    const hours = rows.flatMap((row) => (row.is_total === 0 ? [[row.started_hour ?? 0, figuresOf(row)] as const] : []));
    return Encoded.of(metricsReport(total ? figuresOf(total) : none, new Map(hours), extended));
  }

  async inWindow(scope: Scope, window: WatchedWindow): Promise<Encoded<RequestSums>> {
    const [row] = await this.#ended<WindowRow>(scope, inWindow, window, '');
    return Encoded.of(row ? sumsOf(row) : { count: 0, errors: 0, latency_ms: 0, cost: 0 });
  }

  async inMinutes(scope: Scope, window: WatchedWindow): Promise<Encoded<(InMinute & RequestSums)[]>> {
    const rows = await this.#ended<WindowRow & InMinute>(scope, inMinutes, window, 'GROUP BY minute');
    return Encoded.of(rows.map((row) => ({ minute: row.minute, ...sumsOf(row) })));
  }

  #ended<Row extends object>(scope: Scope, select: string, { from_ms, to_ms, environment }: WatchedWindow, end: string): Promise<Row[]> {
    const [from, to] = [from_ms * 1000, to_ms * 1000];
    const began = from - longestUs;
    const query = `${select} ${environment === null ? '' : inEnvironment} ${end}`;
    return this.#context.inApp<Row>(scope, query, { from, to, began, environment: environment ?? '', ...hoursBetween(began, to) });
  }
}

type WindowRow = Omit<RequestSums, 'cost'> & { sum_of_cost: number };

const sumsOf = ({ count, errors, latency_ms, sum_of_cost }: WindowRow): RequestSums => ({ count, errors, latency_ms, cost: sum_of_cost });

const figuresOf = ({ calls, errors, sum_of_cost, tokens, input, output, duration, users, models }: FiguresRow): CallFigures => ({
  ...{ calls, errors, cost: sum_of_cost, duration_ns: duration, users, models },
  ...{ tokens: countable(tokens), input: countable(input), output: countable(output) },
});

const none: CallFigures = { calls: 0, errors: 0, cost: 0, tokens: 0, input: 0, output: 0, duration_ns: 0, users: 0, models: 0 };
