/** Distribution of the scores of one name, by value and over time. */
import type { DistributionQuery, ScoreDistribution } from '../../../../shared/contract/viewer/viewer-statistics.ts';
import type { Scope } from '../../../platform/scope.ts';
import { Encoded } from '../../encoded.ts';
import { barsBy, barsMax, noScores, rangeBars, type ScoreVariety, scorePart, stepBetween } from '../../score-bars.ts';
import { ofApp, type ReadContext } from './read-context.ts';
import { meanScore } from './sums.ts';

interface SumRow extends ScoreVariety {
  count: number;
  min: number;
  max: number;
  mean: number;
  first_ms: number;
  last_ms: number;
}

interface BarRow {
  label: string;
  from: number;
  to: number;
  count: number;
}

const within = `FROM score FINAL WHERE ${ofApp} AND name = {name:String} AND created_ms >= {from:Int64} AND created_ms <= {to:Int64}`;

const sums = `SELECT count() AS count, min(score) AS min, max(score) AS max, ${meanScore} AS mean, min(created_ms) AS first_ms,
  max(created_ms) AS last_ms, countIf(label = '') AS unlabelled, uniqExact(label) AS labels, uniqExact(score) AS values ${within}`;

const bars = {
  label: `SELECT label, min(score) AS from, max(score) AS to, count() AS count ${within} GROUP BY label ORDER BY ${meanScore}, label`,
  value: `SELECT toString(score) AS label, score AS from, score AS to, count() AS count ${within} GROUP BY score ORDER BY score`,
};

const ranges = `SELECT least(${barsMax - 1}, toInt64(floor((score / ${scorePart}.0 - {low:Float64}) / {span:Float64} * ${barsMax}))) AS bar,
  count() AS count ${within} GROUP BY bar`;

const overTime = `SELECT intDiv(created_ms - {first:Int64}, {step_ms:Int64}) AS step, count() AS count, ${meanScore} AS mean
  ${within} GROUP BY step ORDER BY step`;

export async function scoreDistribution(context: ReadContext, scope: Scope, query: DistributionQuery): Promise<Encoded<ScoreDistribution>> {
  const params = {
    name: query.name,
    from: query.from ? Date.parse(query.from) : 0,
    to: query.to ? Date.parse(query.to) : Number.MAX_SAFE_INTEGER,
  };
  const [found] = await context.inApp<SumRow>(scope, sums, params);
  if (!found || found.count === 0) return Encoded.of(noScores);
  const { count, min, max, mean, first_ms: first, last_ms } = found;
  const step_ms = stepBetween(first, last_ms);
  const [time, divided] = await Promise.all([
    context.inApp<{ step: number; count: number; mean: number }>(scope, overTime, { ...params, first, step_ms }),
    barsOf(context, scope, found, params),
  ]);
  const steps = time.map((row) => ({ at: new Date(first + row.step * step_ms).toISOString(), count: row.count, mean: row.mean }));
  return Encoded.of({ count, min, max, mean, bars: divided, time: steps, step_ms });
}

async function barsOf(
  context: ReadContext,
  scope: Scope,
  sums: SumRow,
  params: Record<string, unknown>,
): Promise<ScoreDistribution['bars']> {
  const by = barsBy(sums);
  if (by === 'label') return context.inApp<BarRow>(scope, bars.label, params);
  if (by === 'value') {
    const rows = await context.inApp<BarRow>(scope, bars.value, params);
    return rows.map((row) => ({ ...row, label: String(row.from) }));
  }
  const low = sums.min / scorePart;
  const found = await context.inApp<{ bar: number; count: number }>(scope, ranges, { ...params, low, span: sums.max / scorePart - low });
  return rangeBars(sums.min, sums.max, new Map(found.map(({ bar, count }) => [bar, count])));
}
