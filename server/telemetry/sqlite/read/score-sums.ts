/** Sums of all scores of an app by name (docs/reference/records.md#score-aggregations), through the index of names. */
import type { ScoreAggregation } from '../../../../shared/contract/evaluation/score-analytics.ts';
import type { OpenDatabase } from '../file/open.ts';
import { dayMs, meanScore } from './score-wire.ts';
import { inTime } from './time-limit.ts';

interface SumRow {
  name: string;
  count: number;
  mean: number;
  min: number;
  max: number;
  /** Number of scores with a label. */
  labelled: number;
  /** Number of scores with the label `true` or `false`. */
  booleans: number;
}

export function sumScores(
  db: OpenDatabase,
  scope: number,
  days: { start_date?: string | undefined; end_date?: string | undefined },
): ScoreAggregation[] {
  const first = days.start_date ? Date.parse(days.start_date) : 0;
  const end = days.end_date ? Date.parse(days.end_date) + dayMs : Number.MAX_SAFE_INTEGER;
  return (
    db
      .prepare<[number, number, number], SumRow>(
        `SELECT name, count(*) AS count, ${meanScore} AS mean, min(score) AS min, max(score) AS max,
         sum(label <> '') AS labelled, sum(label IN ('true', 'false')) AS booleans
       FROM score INDEXED BY score_name WHERE scope = ? AND created_ms >= ? AND created_ms < ? AND ${inTime('score.id')} GROUP BY name`,
      )
      .all(scope, first, end)
      .map(({ name, count, mean, min, max, labelled, booleans }): ScoreAggregation => {
        const data_type = labelled === 0 ? 'numeric' : labelled === booleans ? 'boolean' : 'categorical';
        return { name, avg_score: mean, count, min_score: min, max_score: max, data_type };
      })
      // The database sorts by bytes, which differs from the order by code units beyond the Basic Multilingual Plane.
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  );
}
