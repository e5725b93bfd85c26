/** Runs of experiments: each is all traces with its id, in the order in which their root spans started. */
import type { Scope } from '../../../platform/scope.ts';
import type { CountedTrace } from './copies.ts';
import type { ReadContext } from './read-context.ts';
import { scoreKeyOf } from './resource-sql.ts';
import { all, raw, type Sql, sql, texts } from './sql.ts';
import { meanScore, sumOfCosts, sumOfTokens } from './sums.ts';
import { inTraces, isOfApp } from './trace-where.ts';

export interface RunRow {
  run: string;
  item_count: number;
  start_us: number;
  end_us: number;
  latency_ns: number;
  cost: number;
  tokens: number;
  first_trace: string;
  first_spans: number;
}

/** Runs by their ids, or all of an app. */
type Runs = readonly string[] | null;

const isOfRuns = (runs: Runs): Sql => (runs ? sql`hasAny(runs, ${texts(runs)})` : raw('notEmpty(runs)'));
const isRun = (runs: Runs): Sql => (runs ? sql`run IN ${texts(runs)}` : raw("run <> ''"));

/** A row for each run that a trace is in. */
const tracesOf = (runs: Runs, columns: Sql): Sql =>
  sql`(SELECT arrayJoin(runs) AS run, trace_id, ${columns} FROM trace FINAL WHERE ${isOfApp} AND ${isOfRuns(runs)}) AS item`;

/** The traces with their root spans. */
function itemsOf(runs: Runs): Sql {
  const roots = sql`(SELECT trace_id, root_span FROM trace FINAL WHERE ${isOfApp} AND ${isOfRuns(runs)})`;
  return sql`${tracesOf(runs, raw('root_span, span_count, cost, tokens, arrival'))} INNER JOIN (
      SELECT trace_id, span_id, start_us, start_rest_ns, duration_ns FROM span FINAL
      WHERE ${all([isOfApp, inTraces(isOfRuns(runs)), sql`(trace_id, span_id) IN ${roots}`])}
    ) AS root ON root.trace_id = item.trace_id AND root.span_id = item.root_span WHERE ${isRun(runs)}`;
}

const place = raw('(root.start_us, root.start_rest_ns, item.arrival)');

/** Newest first by the start of the first item; ties break on the id. */
export const readRuns = (context: ReadContext, scope: Scope, runs: Runs): Promise<RunRow[]> =>
  context.find(
    scope,
    sql`SELECT run, count() AS item_count, min(root.start_us) AS start_us, max(root.start_us) AS end_us,
          avg(root.duration_ns) AS latency_ns, ${raw(sumOfCosts('item.cost'))} AS cost, ${raw(sumOfTokens('item.tokens'))} AS tokens,
          argMin(item.trace_id, ${place}) AS first_trace, argMin(item.span_count, ${place}) AS first_spans
        FROM ${itemsOf(runs)} GROUP BY run ORDER BY start_us DESC, run`,
  );

/** In their order. */
export const readTracesOfRun = (context: ReadContext, scope: Scope, run: string): Promise<CountedTrace[]> =>
  context.find(scope, sql`SELECT item.trace_id AS trace_id, item.span_count AS span_count FROM ${itemsOf([run])} ORDER BY ${place}`);

/** Names of the prompts of runs: that of the first call with a prompt, else of the first span with one. */
export async function readPrompts(context: ReadContext, scope: Scope, runs: Runs): Promise<Map<string, string>> {
  const rows = await context.find<{ run: string; name: string }>(
    scope,
    sql`SELECT run, argMin(span.prompt, (span.model = '', span.start_us, span.arrival)) AS name
        FROM ${tracesOf(runs, raw('arrival'))} INNER JOIN (
          SELECT trace_id, prompt, model, start_us, arrival FROM span FINAL
          WHERE ${all([isOfApp, raw("prompt <> ''"), inTraces(isOfRuns(runs))])}
        ) AS span ON span.trace_id = item.trace_id WHERE ${isRun(runs)} GROUP BY run`,
  );
  return new Map(rows.map(({ run, name }) => [run, name]));
}

/** Means of the scores of the traces of runs. */
export async function readMeanScores(context: ReadContext, scope: Scope, runs: readonly string[]): Promise<Map<string, number>> {
  const keys = sql`(SELECT ${scoreKeyOf('trace_id')} FROM trace FINAL WHERE ${isOfApp} AND ${isOfRuns(runs)})`;
  const rows = await context.find<{ run: string; mean: number }>(
    scope,
    sql`SELECT run, ${raw(meanScore)} AS mean FROM ${tracesOf(runs, sql`${scoreKeyOf('trace_id')} AS key`)} INNER JOIN (
          SELECT resource, score FROM score FINAL WHERE ${isOfApp} AND resource IN ${keys}
        ) AS score_row ON score_row.resource = item.key WHERE ${isRun(runs)} GROUP BY run`,
  );
  return new Map(rows.map(({ run, mean }) => [run, mean]));
}
