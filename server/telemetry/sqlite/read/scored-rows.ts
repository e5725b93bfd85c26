/**
 * Finds traces and spans with a matching score. A score has the id of its resource but not the kind, and span ids have no index (migration 4). So
 * each new resource costs one scan of all spans, and later only a scan of the new ones.
 */
import { sql } from 'drizzle-orm';
import type { ScorePredicate } from '../../../../shared/filter/filter-tree.ts';
import { storedIdKey } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import { keyOf } from '../file/resource-key.ts';
import { boundOf } from './bound.ts';
import { numberHolds } from './filter-comparisons.ts';

interface SpanRow {
  id: number;
  trace: number;
}

/** Scan results of one scope. */
interface Scan {
  /** Last span that was scanned for all resources. */
  row: number;
  resources: Map<string, unknown>;
  /** Spans of different traces may have the same id. */
  spans: Map<string, SpanRow[]>;
}

/** Beyond this the results are dropped, and scanned again. */
const resourcesMax = 100_000;
/** Limit of bound values in one statement. */
const boundMax = 10_000;
/** Length of a trace id in bytes. */
const longBytes = 16;

const spanKey = keyOf('span.span_id');
/** Condition for a range of rows. A range from the first row scans the index of ids by trace, which is a fifth of the table. */
const between = (from: number): string => (from === 0 ? '+span.id > ? AND +span.id <= ?' : 'span.id > ? AND span.id <= ?');

export class ScoredRows {
  readonly #db: OpenDatabase;
  readonly #newest;
  readonly #trace;
  readonly #readableTraces;
  readonly #scopes = new Map<number, Scan>();
  #hasLongIds = false;
  /** Spans up to this row have been scanned for long ids. */
  #longIdsUpTo = 0;

  constructor(db: OpenDatabase) {
    this.#db = db;
    this.#newest = db.prepare<[], number>('SELECT coalesce(max(id), 0) FROM span').pluck();
    this.#trace = db.prepare<[number, unknown], number>('SELECT id FROM trace WHERE scope = ? AND trace_id = ?').pluck();
    this.#readableTraces = db.prepare<[number], { id: number; key: unknown }>(
      `SELECT id, resource_key(trace_id) AS key FROM trace WHERE scope = ? AND typeof(trace_id) = 'text'`,
    );
  }

  /** Ids of rows whose latest score of that name matches; for traces also those with a matching span. */
  find(rows: 'traces' | 'spans', scope: number, predicate: ScorePredicate): number[] {
    const resources = this.#latest(scope, predicate);
    if (resources.length === 0) return [];
    const spans = this.#spansOf(scope, resources);
    return rows === 'spans' ? spans.map(({ id }) => id) : [...this.#tracesOf(scope, resources), ...spans.map(({ trace }) => trace)];
  }

  /** Resources whose latest score matches. Of two scores with the same time, the later arrival counts. */
  #latest(scope: number, predicate: ScorePredicate): unknown[] {
    const { text, values } = boundOf(numberHolds(sql`score`, predicate));
    return this.#db
      .prepare<unknown[], unknown>(
        `SELECT resource FROM (
           SELECT resource, score, row_number() OVER (PARTITION BY resource ORDER BY created_ms DESC, id DESC) AS place
           FROM score WHERE scope = ? AND name = ?
         ) WHERE place = 1 AND ${text}`,
      )
      .pluck()
      .all(scope, predicate.key, ...values);
  }

  #tracesOf(scope: number, resources: readonly unknown[]): number[] {
    const wanted = new Set(resources.map(storedIdKey));
    const readable = this.#readableTraces.all(scope).filter(({ key }) => wanted.has(storedIdKey(key)));
    const found = resources.filter((resource) => typeof resource !== 'string').map((resource) => this.#trace.get(scope, resource));
    return [...readable.map(({ id }) => id), ...found.filter((id) => id !== undefined)];
  }

  #spansOf(scope: number, resources: readonly unknown[]): SpanRow[] {
    const wanted = this.#mayLongBeSpans() ? resources : resources.filter((resource) => !isLong(resource));
    if (wanted.length === 0) return [];
    const scan = this.#scanOf(scope);
    const newResources = wanted.filter((resource) => !scan.resources.has(storedIdKey(resource)));
    this.#scanRows(scope, scan, newResources, 0, scan.row);
    for (const resource of newResources) scan.resources.set(storedIdKey(resource), resource);
    const newest = this.#newest.get() ?? 0;
    this.#scanRows(scope, scan, [...scan.resources.values()], scan.row, newest);
    scan.row = newest;
    return wanted.flatMap((resource) => scan.spans.get(storedIdKey(resource)) ?? []);
  }

  #scanOf(scope: number): Scan {
    const scan = this.#scopes.get(scope);
    if (scan && scan.resources.size < resourcesMax) return scan;
    const empty: Scan = { row: this.#newest.get() ?? 0, spans: new Map(), resources: new Map() };
    this.#scopes.set(scope, empty);
    return empty;
  }

  /** Whether any span has an id of 16 bytes, such as a UUID. In nearly every store only traces do, and long ids need no scan of the spans. */
  #mayLongBeSpans(): boolean {
    const newest = this.#newest.get() ?? 0;
    if (this.#hasLongIds || newest <= this.#longIdsUpTo) return this.#hasLongIds;
    const long = `typeof(${spanKey}) = 'blob' AND length(${spanKey}) = ${longBytes}`;
    const find = `SELECT EXISTS (SELECT 1 FROM span WHERE ${between(this.#longIdsUpTo)} AND ${long})`;
    this.#hasLongIds = this.#db.prepare<[number, number], number>(find).pluck().get(this.#longIdsUpTo, newest) === 1;
    this.#longIdsUpTo = newest;
    return this.#hasLongIds;
  }

  #scanRows(scope: number, { spans }: Scan, resources: readonly unknown[], from: number, to: number): void {
    if (from >= to) return;
    for (let at = 0; at < resources.length; at += boundMax) {
      const chunk = resources.slice(at, at + boundMax);
      const found = this.#db
        .prepare<unknown[], SpanRow & { key: unknown }>(
          `SELECT span.id, span.trace, ${spanKey} AS key FROM span CROSS JOIN trace ON trace.id = span.trace
           WHERE ${between(from)} AND ${spanKey} IN (${chunk.map(() => '?').join()}) AND trace.scope = ?`,
        )
        .all(from, to, ...chunk, scope);
      for (const { key, ...span } of found) spans.set(storedIdKey(key), [...(spans.get(storedIdKey(key)) ?? []), span]);
    }
  }
}

const isLong = (resource: unknown): boolean => typeof resource !== 'string' && (resource as Buffer).length === longBytes;
