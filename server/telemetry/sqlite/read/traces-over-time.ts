/** Number of traces of a list over time: by columns, or from the indexes of a small app. */
import { type SQL, sql } from 'drizzle-orm';
import type { TracesNarrowing, TracesOverTime } from '../../../../shared/contract/tracing/trace-list.ts';
import { readMatches } from '../columns/read-matches.ts';
import { statuses } from '../file/codes.ts';
import { traces } from '../file/schema.ts';
import type { ReadContext } from './read-context.ts';
import { findTraces, isForTable, tracesWhere } from './trace-where.ts';
import { amongTraces, tracesWithContents } from './traces-with-contents.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Usual steps of a time axis, in milliseconds. */
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365, 3650].map((count) => count * day),
];

const failed = statuses.indexOf('ERROR');

/** Old traces may be left out up to this share and number, if the axis would otherwise be this many times as long. */
const outlierShare = 0.02;
const outliersMax = 1000;
const axisFactor = 4;

type Query = TracesNarrowing & { buckets: number };
type Bucket = { bucket: number; count: number; errors: number };

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
    if (!ends) return { from: 0, bucket_ms: 1, counts: [], errors: [], earlier: 0 };
    const { first, last } = ends;
    const from = query.from ?? Math.floor(first / 1000);
    const earlier = query.from === undefined ? ends.earlier : 0;
    const to = Math.max(query.to ?? Math.floor(last / 1000) + 1, from + 1);
    const bucket_ms = stepOf((to - from) / query.buckets);
    const start = Math.floor(from / bucket_ms) * bucket_ms;
    const result: TracesOverTime = { from: start, bucket_ms, counts: [], errors: [], earlier };
    const narrowed = { ...query, from, to };
    const found = tracesWithContents(this.#context, scope, narrowed, { order: null, wanted: Number.POSITIVE_INFINITY });
    if (found?.isComplete === false) result.counts_are_lower_bounds = true;
    const where = !found && isForTable(this.#context, scope) ? tracesWhere(this.#context, scope, narrowed) : null;
    const condition = found ? amongTraces(found.ids) : where?.condition;
    const bucketCount = Math.ceil((to - start) / bucket_ms);
    if (where?.isFiltered ?? true) {
      const buckets = condition ? this.#grouped(condition, start, bucket_ms) : this.#inColumns(scope, narrowed, start, bucket_ms);
      const found = new Map(buckets.map((bucket) => [bucket.bucket, bucket]));
      for (let at = 0; at < bucketCount; at++) {
        result.counts.push(found.get(at)?.count ?? 0);
        result.errors.push(found.get(at)?.errors ?? 0);
      }
    } else {
      for (let at = start; at < to; at += bucket_ms) {
        this.#context.limit.check();
        const range = [scope, Math.max(at, from) * 1000, Math.min(at + bucket_ms, to) * 1000] as const;
        const count = (statement: { get(...range: [number, number, number]): number | undefined }) =>
          this.#context.damageReporter.read('database', `index of traces from ${range[1]}`, () => statement.get(...range)) ?? 0;
        result.counts.push(count(counts.count));
        result.errors.push(count(counts.failed));
      }
    }
    return result.counts.some((count) => count > 0) ? result : { ...result, counts: [], errors: [] };
  }

  #inColumns(scope: number, query: Query, start: number, step: number): Bucket[] {
    const buckets = new Map<number, Bucket>();
    const matches = findTraces(this.#context, scope, query);
    readMatches(
      matches,
      ['listed_us', 'status'],
      () => this.#context.limit.check(),
      ({ listed_us, status }, row) => {
        const at = Math.floor(((listed_us[row] as number) - start * 1000) / (step * 1000));
        const { count, errors } = buckets.get(at) ?? { count: 0, errors: 0 };
        buckets.set(at, { bucket: at, count: count + 1, errors: errors + (status[row] === failed ? 1 : 0) });
      },
    );
    return [...buckets.values()];
  }

  #grouped(condition: SQL, start: number, step: number): Bucket[] {
    // Numbers are bound as doubles, so without the cast every microsecond would be a bucket.
    const bucket = sql<number>`CAST((${traces.listed_us} - ${start * 1000}) / ${step * 1000} AS INTEGER)`;
    return this.#context.orm
      .select({ bucket, count: sql<number>`count(*)`, errors: sql<number>`sum(${traces.status} = ${failed})` })
      .from(traces)
      .where(condition)
      .groupBy(sql`1`)
      .all();
  }
}

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
    failed: db.prepare<[number, number, number], number>(`${counted} AND status = ${failed}`).pluck(),
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

/** The shortest usual step that is at least this long. */
const stepOf = (ms: number): number => steps.find((step) => step >= ms) ?? Math.ceil(ms / day) * day;
