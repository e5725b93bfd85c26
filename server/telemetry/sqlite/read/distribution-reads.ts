/** Distribution of the scores of one name, by value and over time. */
import type { DistributionQuery, ScoreDistribution } from '../../../../shared/contract/viewer/viewer-statistics.ts';
import { barsBy, barsMax, noScores, rangeBars, type ScoreVariety, scorePart, stepBetween } from '../../score-bars.ts';
import type { OpenDatabase } from '../file/open.ts';
import { meanScore } from './score-wire.ts';
import { inTime } from './time-limit.ts';

/** Null without scores. */
interface SumRow extends Omit<ScoreVariety, 'unlabelled'> {
  count: number;
  min: number | null;
  max: number | null;
  mean: number | null;
  first_ms: number | null;
  last_ms: number | null;
  unlabelled: number | null;
}

interface LabelRow {
  label: string;
  from: number;
  to: number;
  count: number;
}

const within = `scope = ? AND name = ? AND created_ms >= ? AND created_ms <= ? AND ${inTime('score.id')}`;
type Bound = [scope: number, name: string, from: number, to: number];

export class DistributionReads {
  readonly #sums;
  readonly #labels;
  readonly #values;
  readonly #ranges;
  readonly #time;

  constructor(db: OpenDatabase) {
    this.#sums = db.prepare<Bound, SumRow>(
      `SELECT count(*) AS count, min(score) AS min, max(score) AS max, ${meanScore} AS mean, min(created_ms) AS first_ms,
         max(created_ms) AS last_ms, sum(label = '') AS unlabelled, count(DISTINCT label) AS labels, count(DISTINCT score) AS "values"
       FROM score WHERE ${within}`,
    );
    this.#labels = db.prepare<Bound, LabelRow>(
      `SELECT label, min(score) AS "from", max(score) AS "to", count(*) AS count FROM score WHERE ${within} GROUP BY label ORDER BY avg(score), label`,
    );
    this.#values = db.prepare<Bound, Omit<LabelRow, 'label'>>(
      `SELECT score AS "from", score AS "to", count(*) AS count FROM score WHERE ${within} GROUP BY score ORDER BY score`,
    );
    this.#ranges = db.prepare<[min: number, span: number, ...Bound], { bar: number; count: number }>(
      `SELECT min(${barsMax - 1}, cast((score / ${scorePart}.0 - ?) / ? * ${barsMax} AS INTEGER)) AS bar, count(*) AS count FROM score WHERE ${within} GROUP BY bar`,
    );
    this.#time = db.prepare<[first: number, step: number, ...Bound], { step: number; count: number; mean: number }>(
      `SELECT cast((created_ms - ?) / ? AS INTEGER) AS step, count(*) AS count, ${meanScore} AS mean FROM score WHERE ${within} GROUP BY step ORDER BY step`,
    );
  }

  distribution(scope: number, { name, from, to }: DistributionQuery): ScoreDistribution {
    const bound: Bound = [scope, name, from ? Date.parse(from) : 0, to ? Date.parse(to) : Number.MAX_SAFE_INTEGER];
    const sums = this.#sums.get(...bound);
    if (!sums || sums.count === 0) return noScores;
    const { count, min, max, mean, first_ms, last_ms } = sums;
    const first = first_ms ?? 0;
    const step_ms = stepBetween(first, last_ms ?? first);
    const time = this.#time
      .all(first, step_ms, ...bound)
      .map((row) => ({ at: new Date(first + row.step * step_ms).toISOString(), count: row.count, mean: row.mean }));
    return { count, min, max, mean, bars: this.#bars(sums, bound), time, step_ms };
  }

  #bars({ min, max, unlabelled, labels, values }: SumRow, bound: Bound): ScoreDistribution['bars'] {
    const by = barsBy({ unlabelled: unlabelled ?? 0, labels, values });
    if (by === 'label') return this.#labels.all(...bound);
    if (by === 'value') return this.#values.all(...bound).map((row) => ({ label: String(row.from), ...row }));
    const [low, high] = [min ?? 0, max ?? 0];
    const ranges = this.#ranges.all(low / scorePart, high / scorePart - low / scorePart, ...bound);
    return rangeBars(low, high, new Map(ranges.map(({ bar, count }) => [bar, count])));
  }
}
