/** Searches scores by a time window and a filter. All their texts are in their rows. */
import { type SQL, sql } from 'drizzle-orm';
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { ScoreTextField } from '../../../../shared/filter/fields.ts';
import { type ScoreDialect, scoreFilterConditions } from '../../filter-sql.ts';
import type { Search } from '../../search-reader.ts';
import type { DamageReporter } from '../file/damaged.ts';
import type { OpenDatabase } from '../file/open.ts';
import { resourceKey } from '../file/resource-key.ts';
import { boundOf } from './bound.ts';
import { all, any, numberHolds, textHolds } from './filter-comparisons.ts';
import type { ReadPage } from './read-answer.ts';
import { pageOfScores } from './score-page.ts';

const column: Record<ScoreTextField, SQL> = {
  name: sql`score.name`,
  source: sql`score.source`,
  user_id: sql`coalesce(score.user_id, '')`,
  resource_id: sql`score.resource_id`,
  label: sql`score.label`,
};

const dialect: ScoreDialect<SQL> = {
  all,
  any,
  not: (condition) => sql`NOT (${condition})`,
  text: (predicate) => {
    const holds = textHolds(column[predicate.field as ScoreTextField], predicate);
    const isExact = predicate.operator === 'equals' || predicate.operator === 'in';
    if (predicate.field !== 'resource_id' || !isExact) return holds;
    // Looked up by the indexed key, then compared by the exact spelling.
    return sql`(score.resource IN ${predicate.values.map(resourceKey)} AND ${holds})`;
  },
  number: (predicate) => numberHolds(sql`score.score`, predicate),
  date: (predicate) => numberHolds(sql`score.created_ms`, predicate),
};

export function searchScores(
  db: OpenDatabase,
  scope: number,
  { window, filter, ...page }: Search<'scores'>,
  damageReporter: DamageReporter,
): ReadPage<Score> {
  const within = sql`score.scope = ${scope} AND score.created_ms BETWEEN ${window.from} AND ${window.to}`;
  const where = sql.join([within, ...scoreFilterConditions(filter, dialect)], sql` AND `);
  return pageOfScores(db, boundOf(where), page, damageReporter);
}
