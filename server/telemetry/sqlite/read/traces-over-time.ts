/** Number of traces of a list over time: by columns, or from the indexes of a small app. */
import { type SQL, sql } from 'drizzle-orm';
import type { TracesNarrowing, TracesOverTime } from '../../../../shared/contract/tracing/trace-list.ts';
import { axisFactor, outlierShare, outliersMax, stepOf } from '../../time-axis.ts';
import { readMatches } from '../columns/read-matches.ts';
import { statuses } from '../file/codes.ts';
import { traces } from '../file/schema.ts';
import type { ReadContext } from './read-context.ts';
import { findTraces, isForTable, tracesWhere } from './trace-where.ts';
import { amongTraces, tracesWithContents } from './traces-with-contents.ts';

const failed = statuses.indexOf('ERROR');

type Query = TracesNarrowing & { buckets: number };
type Bucket = { bucket: number; count: number; errors: number; errorsInside: number };

export class TracesOverTimeReads {
  readonly #context: ReadContext;
  readonly #all;
  readonly #shown;

  constructor(context: ReadContext) {
    this.#context = context;
    this.#all = countsOf(context, '');
    this.#shown = countsOf(context, 'AND bookkeeping = 0');
  }

  /** The axis is the requested range, or that of all traces, so that it does not change with the filter. */
  overTime(scope: number, query: Query): TracesOverTime {
    const counts = query.bookkeeping === 'include' ? this.#all : this.#shown;
    const ends = endsOf(counts, scope);
    if (!ends) return { from: 0, bucket_ms: 1, ...noCounts(), earlier: 0 };
    const { first, last } = ends;
    const from = query.from ?? Math.floor(first / 1000);
    const earlier = query.from === undefined ? ends.earlier : 0;
    const to = Math.max(query.to ?? Math.floor(last / 1000) + 1, from + 1);
    const bucket_ms = stepOf((to - from) / query.buckets);
    const start = Math.floor(from / bucket_ms) * bucket_ms;
    const result: TracesOverTime = { from: start, bucket_ms, ...noCounts(), earlier };
    const narrowed = { ...query, from, to };
    const found = tracesWithContents(this.#context, scope, narrowed, { order: null, wanted: Number.POSITIVE_INFINITY });
    if (found?.isComplete === false) result.counts_are_lower_bounds = true;
    const where = !found && isForTable(this.#context, scope) ? tracesWhere(this.#context, scope, narrowed) : null;
    const condition = found ? amongTraces(found.ids) : where?.condition;
    const count = () => (condition ? this.#grouped(condition, start, bucket_ms) : this.#inColumns(scope, narrowed, start, bucket_ms));
    const buckets = this.#context.damageReporter.read('database', 'traces over time', count) ?? [];
    const byPlace = new Map(buckets.map((bucket) => [bucket.bucket, bucket]));
    for (let at = 0; at < Math.ceil((to - start) / bucket_ms); at++) {
      const bucket = byPlace.get(at);
      result.counts.push(bucket?.count ?? 0);
      result.errors.push(bucket?.errors ?? 0);
      result.errors_inside.push(bucket?.errorsInside ?? 0);
    }
    return buckets.length > 0 ? result : { ...result, ...noCounts() };
  }

  #inColumns(scope: number, query: Query, start: number, step: number): Bucket[] {
    const buckets = new Map<number, Bucket>();
    const matches = findTraces(this.#context, scope, query);
    readMatches(
      matches,
      ['listed_us', 'status', 'error_count'],
      () => this.#context.limit.check(),
      ({ listed_us, status, error_count }, row) => {
        const at = Math.floor(((listed_us[row] as number) - start * 1000) / (step * 1000));
        const bucket = buckets.get(at) ?? { bucket: at, count: 0, errors: 0, errorsInside: 0 };
        buckets.set(at, bucket);
        bucket.count++;
        if (status[row] === failed) bucket.errors++;
        else if ((error_count[row] as number) > 0) bucket.errorsInside++;
      },
    );
    return [...buckets.values()];
  }

  #grouped(condition: SQL, start: number, step: number): Bucket[] {
    // Numbers are bound as doubles, so without the cast every microsecond would be a bucket.
    const bucket = sql<number>`CAST((${traces.listed_us} - ${start * 1000}) / ${step * 1000} AS INTEGER)`;
    return this.#context.orm
      .select({
        bucket,
        count: sql<number>`count(*)`,
        errors: sql<number>`sum(${traces.status} = ${failed})`,
        errorsInside: sql<number>`sum(${traces.status} <> ${failed} AND ${traces.error_count} > 0)`,
      })
      .from(traces)
      .where(condition)
      .groupBy(sql`1`)
      .all();
  }
}

const noCounts = () => ({ counts: [], errors: [], errors_inside: [] });

type Counts = ReturnType<typeof countsOf>;

/** Statements on the list index; `shown` selects the traces that count. */
function countsOf({ db }: ReadContext, shown: string) {
  const edge = (order: string) =>
    db
      .prepare<[number, number], number>(
        `SELECT listed_us FROM trace WHERE scope = ? AND span_count > 0 ${shown} ORDER BY listed_us ${order} LIMIT 1 OFFSET ?`,
      )
      .pluck();
  const counted = `SELECT count(*) FROM trace WHERE scope = ? AND span_count > 0 AND listed_us >= ? AND listed_us < ? ${shown}`;
  return {
    first: edge('ASC'),
    last: edge('DESC'),
    upTo: db
      .prepare<[number, number], number>(
        `SELECT count(*) FROM (SELECT 1 FROM trace WHERE scope = ? AND span_count > 0 ${shown} ORDER BY listed_us LIMIT ?)`,
      )
      .pluck(),
    count: db.prepare<[number, number, number], number>(counted).pluck(),
  };
}

/** A few very old traces would squeeze all others into one bar, so the axis starts after them. */
function endsOf(counts: Counts, scope: number): { first: number; last: number; earlier: number } | null {
  const first = counts.first.get(scope, 0);
  const last = counts.last.get(scope, 0);
  if (first === undefined || last === undefined) return null;
  const total = counts.upTo.get(scope, Math.ceil(outliersMax / outlierShare)) ?? 0;
  const outliers = Math.min(outliersMax, Math.floor(total * outlierShare));
  const usual = counts.first.get(scope, outliers) ?? first;
  const isFar = last - first > axisFactor * (last - usual);
  return isFar ? { first: usual, last, earlier: counts.count.get(scope, first, usual) ?? 0 } : { first, last, earlier: 0 };
}
