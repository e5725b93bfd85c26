/** Sums of scores: by name, and within a watched window. */
import type { ScoreAggregation } from '../../../../shared/contract/evaluation/score-analytics.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { termKey } from '../../sqlite/file/codes.ts';
import { dayMs } from '../../sqlite/read/score-wire.ts';
import type { MetricsReader } from '../../statistics-reader.ts';
import type { ScoreSums, WatchedWindow } from '../../window-reader.ts';
import { ofApp, type ReadContext } from './read-context.ts';
import { keysOfSpans, keysOfTraces } from './score-reads.ts';
import { all, integer, raw, sql, text } from './sql.ts';
import { meanScore } from './sums.ts';
import { hasTerm, inTraces, isOfApp, listedFrom } from './trace-where.ts';

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

/** All scores of each name (docs/reference/records.md#score-aggregations). */
export async function sumScores(
  context: ReadContext,
  scope: Scope,
  days: Parameters<MetricsReader['scores']>[1],
): Promise<Encoded<ScoreAggregation[]>> {
  const from = days.start_date ? Date.parse(days.start_date) : 0;
  const to = days.end_date ? Date.parse(days.end_date) + dayMs : Number.MAX_SAFE_INTEGER;
  const rows = await context.inApp<SumRow>(
    scope,
    `SELECT name, count() AS count, ${meanScore} AS mean, min(score) AS min, max(score) AS max,
       countIf(label <> '') AS labelled, countIf(label IN ('true', 'false')) AS booleans
     FROM score FINAL WHERE ${ofApp} AND created_ms >= {from:Int64} AND created_ms < {to:Int64} GROUP BY name`,
    { from, to },
  );
  const sums = rows.map(({ name, count, mean, min, max, labelled, booleans }): ScoreAggregation => {
    const data_type = labelled === 0 ? 'numeric' : labelled === booleans ? 'boolean' : 'categorical';
    return { name, avg_score: mean, count, min_score: min, max_score: max, data_type };
  });
  return Encoded.of(sums.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

const dayUs = dayMs * 1000;

export async function scoresOfWindow(
  context: ReadContext,
  scope: Scope,
  { from_ms, to_ms, environment }: WatchedWindow,
  name: string,
): Promise<Encoded<ScoreSums>> {
  const where = [isOfApp, sql`name = ${text(name)}`, sql`created_ms >= ${integer(from_ms)}`, sql`created_ms < ${integer(to_ms)}`];
  if (environment !== null) {
    // Traces of the last day.
    const recent = all([...listedFrom(from_ms * 1000 - dayUs), hasTerm(termKey.environment, sql`term.2 = ${text(environment)}`)]);
    where.push(sql`(resource IN (${keysOfTraces(recent)}) OR resource IN (${keysOfSpans(inTraces(recent))}))`);
  }
  const [sums] = await context.find<ScoreSums>(
    scope,
    sql`SELECT count() AS count, ${raw(meanScore)} AS mean, min(score) AS min, max(score) AS max FROM score FINAL WHERE ${all(where)}`,
  );
  return Encoded.of(sums && sums.count > 0 ? sums : { count: 0, mean: null, min: null, max: null });
}
