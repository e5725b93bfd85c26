/** What happened in a range of time, for the dashboard. */
import type {
  Activity,
  ActivityFigures,
  ActivityGroup,
  ActivityQuery,
  ActivityTrace,
} from '../../../../shared/contract/viewer/activity.ts';
import { singleTracesInHourMax, singleTracesMax } from '../../../../shared/contract/viewer/activity-shape.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { hasContent } from '../../filter-sql.ts';
import { statuses } from '../../sqlite/file/codes.ts';
import { countable } from '../../trace-tree.ts';
import type { TraceRow } from '../stored-rows.ts';
import { type Between, cacheReadsOf, countedTraces, figuresOfCalls, figuresOfTraces, groupsBy } from './activity-sql.ts';
import type { ReadContext } from './read-context.ts';
import { integer, isIn, type Sql, sql } from './sql.ts';
import { traceConditions, tracesWithContents } from './trace-page.ts';
import { isOfApp } from './trace-where.ts';

const hourMs = 3_600_000;
const failed = statuses.indexOf('ERROR');
/** Of a search for contents, the newest are counted. */
const searchedMax = 3000;

interface Stepped {
  step: number;
  is_total: number;
}

interface TracesRow extends Stepped, Between {
  traces: number;
  errors: number;
  errors_inside: number;
  spans: number;
  sum_of_cost: number;
  input: number;
  output: number;
  p50_ns: number;
  p95_ns: number;
  oldest_us: number;
}

interface CallsRow extends Stepped {
  cache_reads: number;
  cache_writes: number;
  first_tokens: number;
  first_p50_us: number;
  first_p95_us: number;
}

type BySteps = [steps: number[], sums: number[]];

interface GroupRow extends Pick<TracesRow, 'errors' | 'errors_inside' | 'sum_of_cost' | 'input' | 'output' | 'p50_ns' | 'p95_ns'> {
  name: string;
  members: number;
  cache_reads: number;
  first_tokens: number;
  first_p50_us: number;
  costs: BySteps;
  counts: BySteps;
  group_count: number;
  highest_cost: number;
}

type SingleRow = Pick<
  TraceRow,
  'trace_id' | 'name' | 'listed_us' | 'latency_ns' | 'status' | 'error_count' | 'pending_count' | 'cost' | 'input_tokens' | 'output_tokens'
>;

export class ActivityReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  async activity(scope: Scope, query: ActivityQuery): Promise<Encoded<Activity>> {
    const { condition, isWhole } = await this.#select(scope, query);
    const traces = countedTraces(query, condition);
    const ofTraces = await this.#context.find<TracesRow>(scope, figuresOfTraces(traces));
    const total = ofTraces.find(({ is_total }) => is_total === 1);
    if (!total || total.traces === 0) return Encoded.of(nothing(isWhole));
    const singlesMax = query.to - query.from <= hourMs ? singleTracesInHourMax : singleTracesMax;
    const [ofCalls, groups, singles] = await Promise.all([
      this.#context.find<CallsRow>(scope, figuresOfCalls(traces, total)),
      this.#context.find<GroupRow>(scope, groupsBy(query.by, traces, total)),
      isWhole && total.traces <= singlesMax ? this.#singles(scope, condition, total, singlesMax) : null,
    ]);
    const calls = new Map(ofCalls.map((row) => [row.is_total === 1 ? -1 : row.step, row]));
    const { from, to, steps } = query;
    return Encoded.of<Activity>({
      totals: figuresOf(total, calls.get(-1)),
      steps: ofTraces
        .filter(({ is_total }) => is_total === 0)
        .sort((a, b) => a.step - b.step)
        .map((row) => ({ at: Math.round(from + ((to - from) * row.step) / steps), ...figuresOf(row, calls.get(row.step)) })),
      groups: groups.map((row) => groupOf(row, steps)),
      more: Math.max(0, (groups[0]?.group_count ?? 0) - groups.length),
      traces: singles,
      is_whole: isWhole,
      counted_from: Math.floor(total.oldest_us / 1000),
    });
  }

  async #select(scope: Scope, query: ActivityQuery): Promise<{ condition: Sql; isWhole: boolean }> {
    if (!query.filter || !hasContent(query.filter)) return { condition: traceConditions(query), isWhole: true };
    const { rows, isComplete } = await tracesWithContents(this.#context, scope, query, searchedMax);
    const ids = rows.slice(0, searchedMax).map(({ trace_id }) => trace_id);
    return { condition: sql`${isOfApp} AND ${isIn('trace_id', ids)}`, isWhole: isComplete && rows.length <= searchedMax };
  }

  async #singles(scope: Scope, condition: Sql, between: Between, max: number): Promise<ActivityTrace[]> {
    const ids = sql`SELECT trace_id FROM trace FINAL WHERE ${condition}`;
    const [rows, cacheReads] = await Promise.all([
      this.#context.find<SingleRow>(
        scope,
        sql`SELECT trace_id, name, listed_us, latency_ns, status, error_count, pending_count, cost, input_tokens, output_tokens
          FROM trace FINAL WHERE ${condition} ORDER BY listed_us, arrival LIMIT ${integer(max)}`,
      ),
      this.#context.find<{ trace_id: string; cache_reads: number }>(scope, cacheReadsOf(ids, between)),
    ]);
    const cached = new Map(cacheReads.map(({ trace_id, cache_reads }) => [trace_id, cache_reads]));
    return rows.map((row) => ({
      id: row.trace_id,
      name: row.name,
      at: Math.floor(row.listed_us / 1000),
      duration_ms: row.latency_ns / 1e6,
      has_failed: row.status === failed,
      errors: row.error_count,
      running: row.pending_count,
      cost: row.cost,
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
      cache_read_tokens: countable(cached.get(row.trace_id) ?? 0),
    }));
  }
}

const figuresOf = (row: TracesRow, calls: CallsRow | undefined): ActivityFigures => ({
  ...{ traces: row.traces, errors: row.errors, errors_inside: row.errors_inside, spans: row.spans, cost: row.sum_of_cost },
  ...{ input_tokens: countable(row.input), output_tokens: countable(row.output) },
  ...{ cache_read_tokens: countable(calls?.cache_reads ?? 0), cache_write_tokens: countable(calls?.cache_writes ?? 0) },
  ...{ p50_ms: row.p50_ns / 1e6, p95_ms: row.p95_ns / 1e6, first_tokens: calls?.first_tokens ?? 0 },
  ...(calls && calls.first_tokens > 0
    ? { first_token_p50_ms: calls.first_p50_us / 1e3, first_token_p95_ms: calls.first_p95_us / 1e3 }
    : { first_token_p50_ms: null, first_token_p95_ms: null }),
});

function groupOf(row: GroupRow, steps: number): ActivityGroup {
  const [places, sums] = row.highest_cost > 0 ? row.costs : row.counts;
  const series = Array.from({ length: steps }, () => 0);
  for (const [at, step] of places.entries()) series[step] = sums[at] ?? 0;
  return {
    ...{ name: row.name, count: row.members, errors: row.errors, errors_inside: row.errors_inside, cost: row.sum_of_cost },
    ...{ input_tokens: countable(row.input), output_tokens: countable(row.output), cache_read_tokens: countable(row.cache_reads) },
    ...{ p50_ms: row.p50_ns / 1e6, p95_ms: row.p95_ns / 1e6, first_tokens: row.first_tokens },
    first_token_p50_ms: row.first_tokens > 0 ? row.first_p50_us / 1e3 : null,
    series,
  };
}

function nothing(isWhole: boolean): Activity {
  const totals: ActivityFigures = {
    ...{ traces: 0, errors: 0, errors_inside: 0, spans: 0, cost: 0, input_tokens: 0, output_tokens: 0 },
    ...{ cache_read_tokens: 0, cache_write_tokens: 0, p50_ms: null, p95_ms: null },
    ...{ first_tokens: 0, first_token_p50_ms: null, first_token_p95_ms: null },
  };
  return { totals, steps: [], groups: [], more: 0, traces: isWhole ? [] : null, is_whole: isWhole, counted_from: null };
}
