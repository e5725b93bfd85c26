/** Queries of the dashboard: sums over the traces of a list and their calls. */
import type { ActivityQuery } from '../../../../shared/contract/viewer/activity.ts';
import type { ActivityBreakdown } from '../../../../shared/contract/viewer/activity-shape.ts';
import { kinds, statuses } from '../../sqlite/file/codes.ts';
import { dollarsMax } from '../../trace-tree.ts';
import { hoursBetween } from '../stored-rows.ts';
import { named } from './filter-sql.ts';
import { isCountedCall, sumOf } from './request-reads.ts';
import { integer, number, raw, type Sql, sql } from './sql.ts';
import { isOfApp } from './trace-where.ts';

export const groupsMax = 50;
const isFailed = raw(`status = ${statuses.indexOf('ERROR')}`);
const isTool = raw(`kind = ${kinds.indexOf('tool')}`);

/** By nearest rank, of a list of numbers; 0 for none. */
const rank = (list: string, share: number): Sql => raw(`arraySort(${list})[toUInt64(ceil(length(${list}) * ${share}))]`);
const durations = (column: string): Sql => sql`
  ${rank(`groupArray(${column})`, 0.5)} AS p50_ns, ${rank(`groupArray(${column})`, 0.95)} AS p95_ns`;

const firstTokens = 'groupArrayIf(assumeNotNull(ttft_us), ttft_us IS NOT NULL AND ttft_us >= 0)';

/** Rows of the traces of a list, each with the step in which it counts. */
export function countedTraces({ from, to, steps }: ActivityQuery, condition: Sql): Sql {
  const share = sql`(listed_us / 1000 - ${number(from)}) / ${number(to - from)}`;
  return sql`SELECT trace_id, listed_us, start_us, end_us, latency_ns, span_count, input_tokens, output_tokens, cost, user,
      ${isFailed} AS has_failed, status != ${integer(statuses.indexOf('ERROR'))} AND error_count > 0 AS has_errors_inside,
      toUInt16(least(${number(steps - 1)}, greatest(${number(0)}, floor(${share} * ${number(steps)})))) AS step
    FROM trace FINAL WHERE ${condition}`;
}

/** One row for each step with traces, and one for all. */
export const figuresOfTraces = (traces: Sql): Sql => sql`
  SELECT step, grouping(step) AS is_total, count() AS traces, sum(has_failed) AS errors, sum(has_errors_inside) AS errors_inside,
    sum(span_count) AS spans, sum(cost) AS sum_of_cost, ${raw(sumOf('input_tokens'))} AS input, ${raw(sumOf('output_tokens'))} AS output,
    ${durations('latency_ns')}, min(listed_us) AS oldest_us, min(start_us) AS first_us, max(end_us) AS last_us
  FROM (${traces}) GROUP BY GROUPING SETS ((step), ())`;

/** Times between which all spans of the traces begin. */
export interface Between {
  first_us: number;
  last_us: number;
}

function spansIn({ first_us, last_us }: Between, columns: Sql, condition: Sql): Sql {
  const { first_hour, last_hour } = hoursBetween(first_us, last_us);
  return sql`SELECT trace_id, ${columns} FROM span FINAL
    WHERE ${isOfApp} AND (hour = 0 OR hour BETWEEN ${integer(first_hour)} AND ${integer(last_hour)}) AND ${condition}`;
}

const callColumns = raw(`model, prompt, status, duration_ns AS call_ns, ttft_us, ifNull(cache_read_tokens, 0) AS cache_read,
  ifNull(cache_write_tokens, 0) AS cache_write, ifNull(input_tokens, 0) AS call_input, ifNull(output_tokens, 0) AS call_output,
  least(ifNull(cost, 0), ${dollarsMax}) AS call_cost`);
const callsIn = (between: Between): Sql => spansIn(between, callColumns, raw(isCountedCall));

const join = (spans: Sql, traces: Sql): Sql =>
  sql`(${spans}) AS spans INNER JOIN (${traces}) AS traces ON traces.trace_id = spans.trace_id`;

/** What the calls of the traces add, by step and for all. */
export const figuresOfCalls = (traces: Sql, between: Between): Sql => sql`
  SELECT step, grouping(step) AS is_total, ${raw(sumOf('cache_read'))} AS cache_reads, ${raw(sumOf('cache_write'))} AS cache_writes,
    ${raw(`length(${firstTokens})`)} AS first_tokens, ${rank(firstTokens, 0.5)} AS first_p50_us, ${rank(firstTokens, 0.95)} AS first_p95_us
  FROM ${join(callsIn(between), traces)} GROUP BY GROUPING SETS ((step), ())`;

/** The most expensive groups, with their number and the cost of the first in each row. */
export function groupsBy(by: ActivityBreakdown, traces: Sql, between: Between): Sql {
  const groups = by === 'model' || by === 'prompt' ? groupsOfCalls(by, traces, between) : groupsOfOthers(by, traces, between);
  return sql`SELECT *, count() OVER () AS group_count, max(sum_of_cost) OVER () AS highest_cost FROM (${groups})
    ORDER BY sum_of_cost DESC, members DESC, name LIMIT ${integer(groupsMax)}`;
}

const groupsOfOthers = (by: 'tool' | 'user' | 'service' | 'tag', traces: Sql, between: Between): Sql =>
  by === 'tool' ? groupsOfTools(traces, between) : groupsOfTraces(by, traces, between);

const series = (cost: string): Sql => raw(`sumMap([step], [toFloat64(${cost})]) AS costs, sumMap([step], [toUInt64(1)]) AS counts`);

const groupsOfCalls = (column: 'model' | 'prompt', traces: Sql, between: Between): Sql => sql`
  SELECT toString(${raw(column)}) AS name, count() AS members, countIf(${isFailed}) AS errors, 0 AS errors_inside,
    sum(call_cost) AS sum_of_cost, ${raw(sumOf('call_input'))} AS input, ${raw(sumOf('call_output'))} AS output,
    ${raw(sumOf('cache_read'))} AS cache_reads, ${durations('call_ns')}, ${raw(`length(${firstTokens})`)} AS first_tokens,
    ${rank(firstTokens, 0.5)} AS first_p50_us, ${series('call_cost')}
  FROM ${join(callsIn(between), traces)} GROUP BY name`;

const groupsOfTools = (traces: Sql, between: Between): Sql => sql`
  SELECT spans.tool AS name, count() AS members, countIf(${isFailed}) AS errors,
    0 AS errors_inside, toFloat64(0) AS sum_of_cost, 0 AS input, 0 AS output, 0 AS cache_reads, ${durations('call_ns')},
    0 AS first_tokens, 0 AS first_p50_us, ${series('0')}
  FROM ${join(spansIn(between, sql`${named.tool} AS tool, status, duration_ns AS call_ns`, isTool), traces)} GROUP BY name`;

/** A trace counts once in each of its groups. */
function groupsOfTraces(by: 'user' | 'service' | 'tag', traces: Sql, between: Between): Sql {
  const members = {
    user: () => sql`SELECT trace_id, user AS name FROM (${traces})`,
    service: () =>
      sql`SELECT DISTINCT trace_id, toString(service) AS name FROM (${spansIn(between, raw('service'), raw("service != ''"))})`,
    tag: () =>
      sql`SELECT DISTINCT trace_id, toString(arrayJoin(tags)) AS name FROM (${spansIn(between, raw('tags'), raw('notEmpty(tags)'))})`,
  }[by]();
  const calls = sql`SELECT trace_id, ${raw(sumOf('cache_read'))} AS cache_read, ${raw(firstTokens)} AS firsts
    FROM (${callsIn(between)}) GROUP BY trace_id`;
  const allFirsts = 'arrayFlatten(groupArray(firsts))';
  return sql`
    SELECT members.name AS name, count() AS members, sum(has_failed) AS errors, sum(has_errors_inside) AS errors_inside, sum(cost) AS sum_of_cost,
      ${raw(sumOf('input_tokens'))} AS input, ${raw(sumOf('output_tokens'))} AS output, ${raw(sumOf('cache_read'))} AS cache_reads,
      ${durations('latency_ns')}, ${raw(`length(${allFirsts})`)} AS first_tokens, ${rank(allFirsts, 0.5)} AS first_p50_us, ${series('cost')}
    FROM (${members}) AS members
    INNER JOIN (${traces}) AS traces ON traces.trace_id = members.trace_id
    LEFT JOIN (${calls}) AS calls ON calls.trace_id = members.trace_id
    GROUP BY name`;
}

/** Cache reads of some traces. */
export const cacheReadsOf = (ids: Sql, between: Between): Sql => sql`
  SELECT trace_id, ${raw(sumOf('cache_read'))} AS cache_reads FROM (${callsIn(between)}) WHERE trace_id IN (${ids}) GROUP BY trace_id`;
