/** Number of traces of a list over time. */
import type { TracesNarrowing, TracesOverTime } from '../../../../shared/contract/tracing/trace-list.ts';
import type { Scope } from '../../../platform/scope.ts';
import { hasContent } from '../../filter-sql.ts';
import { statuses } from '../../sqlite/file/codes.ts';
import { axisFactor, outlierShare, outliersMax, stepOf } from '../../time-axis.ts';
import type { ReadContext } from './read-context.ts';
import { all, integer, raw, sql } from './sql.ts';
import { type SearchedTrace, traceConditions, tracesWithContents } from './trace-page.ts';
import { plainConditions } from './trace-where.ts';

type Query = TracesNarrowing & { buckets: number };

interface Bucket {
  bucket: number;
  count: number;
  errors: number;
  errors_inside: number;
}

/** In microseconds. `earlier` is the number of traces before the first that counts. */
interface Ends {
  first: number;
  last: number;
  earlier: number;
}

const failed = statuses.indexOf('ERROR');
const noCounts = () => ({ counts: [], errors: [], errors_inside: [] });

export class TracesOverTimeReads {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** The axis is the requested range, or that of all traces, so that it does not change with the filter. */
  async overTime(scope: Scope, query: Query): Promise<TracesOverTime> {
    const ends = await this.#ends(scope, query);
    if (!ends) return { from: 0, bucket_ms: 1, ...noCounts(), earlier: 0 };
    const from = query.from ?? Math.floor(ends.first / 1000);
    const to = Math.max(query.to ?? Math.floor(ends.last / 1000) + 1, from + 1);
    const bucket_ms = stepOf((to - from) / query.buckets);
    const start = Math.floor(from / bucket_ms) * bucket_ms;
    const { buckets, isComplete } = await this.#count(scope, { ...query, from, to }, start * 1000, bucket_ms * 1000);
    const result: TracesOverTime = { from: start, bucket_ms, ...noCounts(), earlier: query.from === undefined ? ends.earlier : 0 };
    if (!isComplete) result.counts_are_lower_bounds = true;
    if (buckets.length === 0) return result;
    const byPlace = new Map(buckets.map((bucket) => [bucket.bucket, bucket]));
    for (let at = 0; at < Math.ceil((to - start) / bucket_ms); at++) {
      const bucket = byPlace.get(at);
      result.counts.push(bucket?.count ?? 0);
      result.errors.push(bucket?.errors ?? 0);
      result.errors_inside.push(bucket?.errors_inside ?? 0);
    }
    return result;
  }

  /** A few very old traces would squeeze all others into one bar, so the axis starts after them. Null when there are no traces. */
  async #ends(scope: Scope, { bookkeeping }: Query): Promise<Ends | null> {
    const [row] = await this.#context.find<{ total: number; last: number; oldest: number[] }>(
      scope,
      sql`SELECT count() AS total, max(listed_us) AS last, ${raw(`groupArraySorted(${outliersMax + 1})(listed_us)`)} AS oldest
          FROM trace FINAL WHERE ${all(plainConditions({ bookkeeping }))}`,
    );
    if (!row || row.total === 0) return null;
    const { total, last, oldest } = row;
    const first = oldest[0] as number;
    const usual = oldest[Math.min(outliersMax, Math.floor(total * outlierShare))] ?? first;
    if (last - first <= axisFactor * (last - usual)) return { first, last, earlier: 0 };
    return { first: usual, last, earlier: oldest.indexOf(usual) };
  }

  async #count(scope: Scope, query: Query, start_us: number, step_us: number): Promise<{ buckets: Bucket[]; isComplete: boolean }> {
    if (query.filter && hasContent(query.filter)) {
      const { rows, isComplete } = await tracesWithContents(this.#context, scope, query, Number.POSITIVE_INFINITY);
      return { buckets: bucketsOf(rows, start_us, step_us), isComplete };
    }
    const isFailed = sql`status = ${integer(failed)}`;
    const buckets = await this.#context.find<Bucket>(
      scope,
      sql`SELECT intDiv(listed_us - ${integer(start_us)}, ${integer(step_us)}) AS bucket, count() AS count,
            countIf(${isFailed}) AS errors, countIf(NOT ${isFailed} AND error_count > 0) AS errors_inside
          FROM trace FINAL WHERE ${traceConditions(query)} GROUP BY bucket`,
    );
    return { buckets, isComplete: true };
  }
}

const bucketsOf = (rows: readonly SearchedTrace[], start_us: number, step_us: number): Bucket[] =>
  [...Map.groupBy(rows, ({ listed_us }) => Math.floor((listed_us - start_us) / step_us))].map(([bucket, members]) => ({
    bucket,
    count: members.length,
    errors: members.filter(({ status }) => status === failed).length,
    errors_inside: members.filter(({ status, error_count }) => status !== failed && error_count > 0).length,
  }));
