/** Searches scores by a time window and a filter. */
import type { Score } from '../../../../shared/contract/evaluation/scores.ts';
import type { ScoreTextField } from '../../../../shared/filter/fields.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { EncodedPage } from '../../encoded.ts';
import { type ScoreDialect, scoreFilterConditions } from '../../filter-sql.ts';
import type { Search } from '../../search-reader.ts';
import { resourceKey } from '../../sqlite/file/resource-key.ts';
import { scoredKey } from '../loaded/score-keys.ts';
import { numberHolds, textHolds } from './filter-sql.ts';
import type { ScoreReads } from './score-reads.ts';
import { all, any, integer, not, raw, type Sql, sql, texts } from './sql.ts';

const column: Record<ScoreTextField, Sql> = {
  name: raw('name'),
  source: raw('source'),
  user_id: raw("ifNull(user_id, '')"),
  resource_id: raw('resource_id'),
  label: raw('label'),
};

const dialect: ScoreDialect<Sql> = {
  ...{ all, any, not },
  text: (predicate) => {
    const holds = textHolds(column[predicate.field as ScoreTextField], predicate);
    const isExact = predicate.operator === 'equals' || predicate.operator === 'in';
    if (predicate.field !== 'resource_id' || !isExact) return holds;
    // Looked up by the key, by which rows are sorted, then compared by the exact spelling.
    const keys = predicate.values.map((id) => scoredKey(resourceKey(id)));
    return sql`(resource IN ${texts(keys)} AND ${holds})`;
  },
  number: (predicate) => numberHolds(raw('score'), predicate),
  date: (predicate) => numberHolds(raw('created_ms'), predicate),
};

export function searchScores(scores: ScoreReads, scope: Scope, { window, filter, ...page }: Search<'scores'>): Promise<EncodedPage<Score>> {
  const within = sql`created_ms BETWEEN ${integer(window.from)} AND ${integer(window.to)}`;
  return scores.page(scope, { where: [within, ...scoreFilterConditions(filter, dialect)], ...page });
}
