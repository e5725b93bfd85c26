import type { Score, ScoreQuery } from '../../../../shared/contract/evaluation/scores.ts';
import type { TraceScore } from '../../../../shared/contract/tracing/traces.ts';
import { termKey } from '../file/codes.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { keyOf, registerResourceKey, resourceKey } from '../file/resource-key.ts';
import type { Lookup } from './lookup.ts';
import type { ReadPage } from './read-answer.ts';
import { pageOfScores } from './score-page.ts';
import { dayMs, type ScoreRow, scoreOf, selectScore } from './score-wire.ts';

export class ScoreReads {
  readonly #db: OpenDatabase;
  readonly #lookup: Lookup;
  readonly #damageReporter: DamageReporter;
  readonly #find;
  readonly #names;
  readonly #ofTrace;

  constructor(db: OpenDatabase, lookup: Lookup, damageReporter: DamageReporter) {
    registerResourceKey(db);
    this.#damageReporter = damageReporter;
    this.#db = db;
    this.#lookup = lookup;
    this.#find = db.prepare<[number, string], ScoreRow>(`${selectScore} WHERE scope = ? AND score_id = ?`);
    // Skips from name to name through the index, however many scores each has.
    this.#names = db
      .prepare<[number, number], string>(
        `WITH RECURSIVE each(name) AS (
           SELECT min(name) FROM score WHERE scope = ?
           UNION ALL SELECT (SELECT min(name) FROM score WHERE scope = ? AND score.name > each.name) FROM each WHERE each.name IS NOT NULL
         ) SELECT name FROM each WHERE name IS NOT NULL`,
      )
      .pluck();
    // The plus signs keep the planner from scanning all scores of the app instead of looking up a few.
    this.#ofTrace = db.prepare<[number, number, number], ScoreRow>(
      `${selectScore} WHERE scope = ? AND resource IN (
         SELECT ${keyOf('trace_id')} FROM trace WHERE id = ? UNION ALL SELECT ${keyOf('span_id')} FROM span WHERE trace = ?
       ) ORDER BY +created_ms DESC, +id DESC`,
    );
  }

  list(scope: number, query: ScoreQuery): ReadPage<Score> {
    const where = ['score.scope = ?'];
    const values: unknown[] = [scope];
    const add = (sql: string, ...bound: unknown[]) => {
      where.push(sql);
      values.push(...bound);
    };
    if (query.start_date) add('score.created_ms >= ?', Date.parse(query.start_date));
    if (query.end_date) add('score.created_ms < ?', Date.parse(query.end_date) + dayMs);
    if (query.resource_id !== undefined) add('score.resource = ?', resourceKey(query.resource_id));
    if (query.name !== undefined) add('score.name = ?', query.name);
    if (query.source) add('score.source = ?', query.source);
    if (query.resource_type === 'trace') {
      add(`score.resource IN (SELECT ${keyOf('trace_id')} FROM trace WHERE scope = ? AND span_count > 0)`, scope);
    }
    if (query.resource_type === 'span') {
      // Goes from the traces through the index of their span ids, without reading span rows.
      add(
        `score.resource IN (SELECT ${keyOf('span_id')} FROM trace CROSS JOIN span ON span.trace = trace.id WHERE trace.scope = ?)`,
        scope,
      );
    }
    if (query.session_id !== undefined) {
      const session = this.#lookup.term(scope, termKey.session, query.session_id);
      const traces = '(SELECT trace FROM all_trace_terms WHERE term = ?)';
      const members = `SELECT ${keyOf('trace_id')} FROM trace WHERE id IN ${traces}
        UNION ALL SELECT ${keyOf('span_id')} FROM span WHERE trace IN ${traces}`;
      add(`(score.session_id = ? OR score.resource IN (${members}))`, query.session_id, session, session);
    }
    const page = { limit: query.limit, offset: query.offset, sort_by: 'created_at', sort_order: 'desc' } as const;
    return pageOfScores(this.#db, { text: where.join(' AND '), values }, page, this.#damageReporter);
  }

  find(scope: number, id: string): Score | null {
    const row = this.#find.get(scope, id);
    return row ? scoreOf(row) : null;
  }

  /** Sorted again, because the database sorts by bytes, which differs from the order by code units beyond the Basic Multilingual Plane. */
  names(scope: number): string[] {
    return this.#names.all(scope, scope).sort();
  }

  /** Scores of the trace and its spans, newest first. */
  ofTrace(scope: number, trace: number): TraceScore[] {
    return this.#damageReporter.rows('score', this.#ofTrace.all(scope, trace, trace), (row) => {
      const { session_id: _, ...score } = scoreOf(row);
      return score;
    });
  }
}
