/** Sums of all scores of an app by name (docs/reference/records.md#score-aggregations), through the index of names. */
import type { ScoreAggregation } from '../../../../shared/contract/evaluation/score-analytics.ts';
import type { OpenDatabase } from '../file/open.ts';
import { dayMs, meanScore } from './score-wire.ts';
import { inTime } from './time-limit.ts';
import { type ScoreSumValues, scoreAggregations } from './wire-items.ts';

export function sumScores(
  db: OpenDatabase,
  scope: number,
  days: { start_date?: string | undefined; end_date?: string | undefined },
): ScoreAggregation[] {
  const first = days.start_date ? Date.parse(days.start_date) : 0;
  const end = days.end_date ? Date.parse(days.end_date) + dayMs : Number.MAX_SAFE_INTEGER;
  const sums = db.prepare<[number, number, number], ScoreSumValues>(
    `SELECT name, count(*) AS count, ${meanScore} AS mean, min(score) AS min, max(score) AS max,
       sum(label <> '') AS labelled, sum(label IN ('true', 'false')) AS booleans
     FROM score INDEXED BY score_name WHERE scope = ? AND created_ms >= ? AND created_ms < ? AND ${inTime('score.id')} GROUP BY name`,
  );
  return scoreAggregations(sums.all(scope, first, end));
}
