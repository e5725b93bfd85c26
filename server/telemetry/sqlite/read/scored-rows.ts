/**
 * Finds traces and spans with a matching score. A score has the id of its resource but not the kind, and span ids have no index (migration 4): spans
 * are found by a column of hashes.
 */
import { sql } from 'drizzle-orm';
import type { ScorePredicate } from '../../../../shared/filter/filter-tree.ts';
import { IdSet } from '../columns/bitmap.ts';
import { idHash } from '../columns/id-hash.ts';
import { readMatches } from '../columns/read-matches.ts';
import { holds } from '../columns/row-conditions.ts';
import { RowGroups } from '../columns/row-groups.ts';
import { matchesOf } from '../columns/span-columns.ts';
import { spanResource } from '../columns/stored-columns.ts';
import type { DamageReporter } from '../file/damaged.ts';
import { type StoredId, storedIdKey } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import { keyOf } from '../file/resource-key.ts';
import { boundOf } from './bound.ts';
import { numberHolds } from './filter-comparisons.ts';
import type { TimeLimit } from './time-limit.ts';

interface SpanRow {
  id: number;
  trace: number;
}

interface ScoredContext {
  db: OpenDatabase;
  limit: TimeLimit;
  damageReporter: DamageReporter;
}

export class ScoredRows {
  readonly #db: OpenDatabase;
  readonly #limit: TimeLimit;
  readonly #groups: RowGroups;
  readonly #spans;
  readonly #trace;
  readonly #readableTraces;

  constructor({ db, limit, damageReporter }: ScoredContext) {
    this.#db = db;
    this.#limit = limit;
    this.#groups = new RowGroups(db, spanResource, damageReporter);
    this.#spans = db.prepare<[string, number], SpanRow & { key: unknown }>(
      `SELECT span.id, span.trace, ${keyOf('span.span_id')} AS key FROM json_each(?) AS place CROSS JOIN span ON span.id = place.value
       WHERE span.scope = ? ORDER BY span.id`,
    );
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

  /** Spans of the scope with one of these ids: those with the same hash are compared. */
  #spansOf(scope: number, resources: readonly unknown[]): SpanRow[] {
    const check = () => this.#limit.check();
    const hashes = IdSet.of(resources.map((resource) => idHash(resource as StoredId)));
    const condition = holds('id_hash', { ids: hashes });
    const candidates: number[] = [];
    readMatches(matchesOf(this.#groups.all(), condition, check), [], check, (_columns, row, { first }) => candidates.push(first + row));
    const wanted = new Set(resources.map(storedIdKey));
    const found: SpanRow[] = [];
    for (const { key, ...span } of this.#spans.iterate(JSON.stringify(candidates), scope))
      if (wanted.has(storedIdKey(key))) found.push(span);
    return found;
  }
}
