/** Sums of scores: by name, and within a watched window. */
import type { ScoreAggregation } from '../../../../shared/contract/evaluation/score-analytics.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { termKey } from '../../sqlite/file/codes.ts';
import { dayMs } from '../../sqlite/read/score-wire.ts';
import { type ScoreSumValues, scoreAggregations } from '../../sqlite/read/wire-items.ts';
import type { MetricsReader } from '../../statistics-reader.ts';
import type { InMinute, ScoreSums, WatchedWindow } from '../../window-reader.ts';
import { ofApp, type ReadContext } from './read-context.ts';
import { keysOfSpans, keysOfTraces } from './score-reads.ts';
import { all, integer, raw, sql, text } from './sql.ts';
import { meanScore } from './sums.ts';
import { hasTerm, inTraces, isOfApp, listedFrom } from './trace-where.ts';

/** All scores of each name (docs/reference/records.md#score-aggregations). */
export async function sumScores(
  context: ReadContext,
  scope: Scope,
  days: Parameters<MetricsReader['scores']>[1],
): Promise<Encoded<ScoreAggregation[]>> {
  const from = days.start_date ? Date.parse(days.start_date) : 0;
  const to = days.end_date ? Date.parse(days.end_date) + dayMs : Number.MAX_SAFE_INTEGER;
  const rows = await context.inApp<ScoreSumValues>(
    scope,
    `SELECT name, count() AS count, ${meanScore} AS mean, min(score) AS min, max(score) AS max,
       countIf(label <> '') AS labelled, countIf(label IN ('true', 'false')) AS booleans
     FROM score FINAL WHERE ${ofApp} AND created_ms >= {from:Int64} AND created_ms < {to:Int64} GROUP BY name`,
    { from, to },
  );
  return Encoded.of(scoreAggregations(rows));
}

const dayUs = dayMs * 1000;

export async function scoresOfWindow(context: ReadContext, scope: Scope, window: WatchedWindow, name: string): Promise<Encoded<ScoreSums>> {
  const [sums] = await context.find<ScoreSums>(scope, sql`SELECT ${raw(scoreSums)} FROM score FINAL WHERE ${createdIn(window, name)}`);
  return Encoded.of(sums && sums.count > 0 ? sums : { count: 0, mean: null, min: null, max: null });
}

export async function scoresByMinute(
  context: ReadContext,
  scope: Scope,
  window: WatchedWindow,
  name: string,
): Promise<Encoded<(InMinute & ScoreSums)[]>> {
  const minute = sql`intDiv(created_ms - ${integer(window.from_ms)}, ${integer(60_000)}) AS minute`;
  const rows = await context.find<InMinute & ScoreSums>(
    scope,
    sql`SELECT ${minute}, ${raw(scoreSums)} FROM score FINAL WHERE ${createdIn(window, name)} GROUP BY minute`,
  );
  return Encoded.of(rows);
}

const scoreSums = `count() AS count, ${meanScore} AS mean, min(score) AS min, max(score) AS max`;

function createdIn({ from_ms, to_ms, environment }: WatchedWindow, name: string) {
  const where = [isOfApp, sql`name = ${text(name)}`, sql`created_ms >= ${integer(from_ms)}`, sql`created_ms < ${integer(to_ms)}`];
  if (environment !== null) {
    // Traces of the last day.
    const recent = all([...listedFrom(from_ms * 1000 - dayUs), hasTerm(termKey.environment, sql`term.2 = ${text(environment)}`)]);
    where.push(sql`(resource IN (${keysOfTraces(recent)}) OR resource IN (${keysOfSpans(inTraces(recent))}))`);
  }
  return all(where);
}
