/** Lists of scores. The stored traces and spans decide the kind and the session of a resource. */
import type { Score, ScoreQuery } from '../../../../shared/contract/evaluation/scores.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded, type EncodedPage } from '../../encoded.ts';
import type { ScoreStore } from '../../score-store.ts';
import { resourceKey } from '../../sqlite/file/resource-key.ts';
import { dayMs, scoreOf } from '../../sqlite/read/score-wire.ts';
import { scoredKey } from '../loaded/score-keys.ts';
import type { ScoreRow } from '../stored-rows.ts';
import { ofApp, type ReadContext } from './read-context.ts';
import { resourceHolds, scoreKeyOf } from './resource-sql.ts';
import { all, always, integer, raw, type Sql, sql, text } from './sql.ts';
import { inTraces, isOfApp } from './trace-where.ts';

const columns = 'score_id, resource_id, name, score, label, reason, source, user_id, session_id, created_ms';

/** Keys of the scores of traces that a condition selects, or of spans. */
export const keysOfTraces = (condition: Sql): Sql =>
  sql`SELECT ${scoreKeyOf('trace_id')} FROM trace FINAL WHERE ${isOfApp} AND ${condition}`;
export const keysOfSpans = (condition: Sql): Sql => sql`SELECT ${scoreKeyOf('span_id')} FROM span FINAL WHERE ${isOfApp} AND ${condition}`;

export class ScoreReads implements Omit<ScoreStore, 'insert' | 'remove'> {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  list(scope: Scope, query: ScoreQuery): Promise<EncodedPage<Score>> {
    const where = conditionsOf(query);
    if (query.resource_type === 'trace') where.push(sql`resource IN (${keysOfTraces(always)})`);
    if (query.resource_type === 'span') {
      const scored = sql`(SELECT resource FROM score FINAL WHERE ${all([isOfApp, ...where])})`;
      where.push(sql`resource IN (${keysOfSpans(resourceHolds('span_id', scored))})`);
    }
    const { limit, offset } = query;
    return this.page(scope, { where, limit, offset, sort_by: 'created_at', sort_order: 'desc' });
  }

  /** @param where over `score` */
  async page(scope: Scope, { where, sort_by, sort_order, limit, offset }: ScorePage): Promise<EncodedPage<Score>> {
    const direction = sort_order === 'asc' ? 'ASC' : 'DESC';
    const page = await this.#context.page<{ score_id: string }>(
      scope,
      sql`SELECT score_id FROM score FINAL WHERE ${all([isOfApp, ...where])}
          ORDER BY ${raw(`${sortColumn[sort_by]} ${direction}, arrival ${direction}`)} LIMIT ${integer(limit)} OFFSET ${integer(offset)}`,
    );
    const ids = page.rows.map(({ score_id }) => score_id);
    const rows = await this.#byIds(scope, ids);
    const byId = new Map(rows.map((row) => [row.score_id, row]));
    return { data: Encoded.of(ids.flatMap((id) => byId.get(id) ?? []).map(wireOf)), total: page.total };
  }

  async find(scope: Scope, id: string): Promise<Encoded<Score> | null> {
    const [row] = await this.#byIds(scope, [id]);
    return row ? Encoded.of(wireOf(row)) : null;
  }

  /** Sorted here, because the database sorts by bytes, which differs from the order by code units. */
  async names(scope: Scope): Promise<Encoded<string[]>> {
    const rows = await this.#context.inApp<{ name: string }>(scope, `SELECT DISTINCT name FROM score FINAL WHERE ${ofApp}`);
    return Encoded.of(rows.map(({ name }) => name).sort());
  }

  /** Texts of reasons are read for the rows of a page only. */
  async #byIds(scope: Scope, ids: readonly string[]): Promise<ScoreRow[]> {
    if (ids.length === 0) return [];
    return this.#context.inApp(scope, `SELECT ${columns} FROM score FINAL WHERE ${ofApp} AND score_id IN {ids:Array(String)}`, { ids });
  }
}

const sortColumn = { created_at: 'created_ms', score: 'score', name: 'name' } as const;

export interface ScorePage {
  where: readonly Sql[];
  sort_by: keyof typeof sortColumn;
  sort_order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

function conditionsOf(query: ScoreQuery): Sql[] {
  const where: Sql[] = [];
  if (query.start_date) where.push(sql`created_ms >= ${integer(Date.parse(query.start_date))}`);
  if (query.end_date) where.push(sql`created_ms < ${integer(Date.parse(query.end_date) + dayMs)}`);
  if (query.resource_id !== undefined) where.push(sql`resource = ${text(scoredKey(resourceKey(query.resource_id)))}`);
  if (query.name !== undefined) where.push(sql`name = ${text(query.name)}`);
  if (query.source) where.push(sql`source = ${text(query.source)}`);
  if (query.session_id !== undefined) {
    const session = text(query.session_id);
    const isOfSession = sql`has(sessions, ${session})`;
    where.push(sql`(ifNull(session_id = ${session}, 0) OR resource IN (${keysOfTraces(isOfSession)})
      OR resource IN (${keysOfSpans(inTraces(isOfSession))}))`);
  }
  return where;
}

const wireOf = (row: ScoreRow): Score => scoreOf({ id: 0, ...row });
