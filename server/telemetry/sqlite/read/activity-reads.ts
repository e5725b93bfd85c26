/** Traces over time, for the dashboard. Steps are computed one by one, newest first, until the time for one response is used up. */
import type { Activity, ActivityBucket, ActivityGroup, ActivityQuery } from '../../../../shared/contract/viewer/viewer-statistics.ts';
import { countable } from '../../trace-tree.ts';
import { flag, statuses, types } from '../file/codes.ts';
import { boundedCost, sumOfTokens } from './bounded-sums.ts';
import type { ReadContext } from './read-context.ts';
import { inTime } from './time-limit.ts';

/** A further step is computed only while less than this has passed. */
const responseMs = 60;

const failed = statuses.indexOf('ERROR');
const call = types.indexOf('GENERATION');

type TraceRow = [latency_ns: number, status: number, spans: number, input: number, output: number, cost: number, errors: number];

interface GroupRow {
  term: number;
  calls: number;
  errors: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
}

const within = `trace.scope = ? AND trace.listed_us >= ? AND trace.listed_us < ? AND trace.span_count > 0 AND ${inTime('trace.id')}`;

/** A call whose usage only sums up the calls below it is not counted in addition to them. */
const groupQuery = (column: 'model' | 'prompt') =>
  `SELECT coalesce(span.${column}, 0) AS term, count(*) AS calls, sum(span.status = ${failed}) AS errors,
     ${sumOfTokens('span.input_tokens')} AS input_tokens, ${sumOfTokens('span.output_tokens')} AS output_tokens,
     sum(${boundedCost('span.cost')}) AS cost
   FROM trace INDEXED BY trace_listed CROSS JOIN span ON span.trace = trace.id
   WHERE ${within} AND span.type = ${call} AND (span.flags & ${flag.aggregate | flag.placeholder}) = 0
   GROUP BY term ORDER BY cost DESC, calls DESC`;

export class ActivityReads {
  readonly #context: ReadContext;
  readonly #traces;
  readonly #groups;

  constructor(context: ReadContext) {
    const { db } = context;
    this.#context = context;
    this.#traces = db
      .prepare<[number, number, number], TraceRow>(
        `SELECT latency_ns, status, span_count, input_tokens, output_tokens, cost, error_count FROM trace INDEXED BY trace_listed WHERE ${within}`,
      )
      .raw();
    this.#groups = {
      model: db.prepare<[number, number, number], GroupRow>(groupQuery('model')),
      prompt: db.prepare<[number, number, number], GroupRow>(groupQuery('prompt')),
    };
  }

  activity(scope: number, { from, to, buckets: steps, by, after }: ActivityQuery): Activity {
    const [first, last] = [Date.parse(from) * 1000, Date.parse(to) * 1000];
    const edge = (step: number) => Math.round(first + ((last - first) * step) / steps);
    const began = performance.now();
    const buckets: ActivityBucket[] = [];
    for (let done = after; done < steps; done++) {
      if (done > after && performance.now() - began > responseMs) return { buckets, next: done };
      this.#context.limit.check();
      const step = steps - 1 - done;
      const [start, end] = [edge(step), edge(step + 1)];
      const bucket = this.#context.damageReporter.read('database', `traces from ${start} to ${end}`, () =>
        this.#bucket(scope, start, end, by),
      );
      if (bucket) buckets.push(bucket);
    }
    return { buckets, next: null };
  }

  #bucket(scope: number, fromUs: number, toUs: number, by: ActivityQuery['by']): ActivityBucket | null {
    const rows = this.#traces
      .all(scope, fromUs, toUs)
      .filter((row) => this.#context.damageReporter.isNumeric('database', `traces from ${fromUs}`, row));
    if (rows.length === 0) return null;
    const latencies = Float64Array.from(rows, ([latency]) => latency).sort();
    const sum = (at: number) => rows.reduce((total, row) => total + (row[at] ?? 0), 0);
    return {
      at: new Date(fromUs / 1000).toISOString(),
      traces: rows.length,
      errors: rows.filter(([, status]) => status === failed).length,
      errors_inside: rows.filter(([, status, , , , , errors]) => status !== failed && errors > 0).length,
      spans: sum(2),
      input_tokens: countable(sum(3)),
      output_tokens: countable(sum(4)),
      cost: sum(5),
      p50_ms: percentile(latencies, 0.5),
      p95_ms: percentile(latencies, 0.95),
      p99_ms: percentile(latencies, 0.99),
      groups: this.#groups[by].all(scope, fromUs, toUs).map((row) => this.#groupOf(row)),
    };
  }

  #groupOf({ term, ...sums }: GroupRow): ActivityGroup {
    return { name: this.#context.lookup.text(term), ...sums };
  }
}

/** Percentile by nearest rank in milliseconds, so that it is the latency of some trace. */
const percentile = (sorted: Float64Array, share: number): number => (sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0) / 1e6;
