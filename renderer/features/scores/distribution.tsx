import { asFailure } from '../../api/failure.ts';
import { count, plural } from '../../model/text/format.ts';
import { scoreText } from '../../model/trace/score-text.ts';
import { CategoryBars, ChartTitle, Histogram } from '../../ui/charts/bar-chart.tsx';
import { TimeChart } from '../../ui/charts/time-chart.tsx';
import { FactsLine } from '../../ui/primitives/facts-line.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import { useDistribution } from './scores-query.ts';

/** Distribution of all scores with one name, and their mean over time. */
export function Distribution({ name }: { name: string }) {
  const distribution = useDistribution(name);
  if (!distribution.data)
    return distribution.isError ? (
      <Text as="p" tone="err" className="p-3">
        {asFailure(distribution.error, 'The distribution could not be loaded').why}
      </Text>
    ) : (
      <div className="h-chart" />
    );
  const { count: total, min, max, mean, bars, time, step_ms } = distribution.data;
  if (total === 0 || min === null || max === null || mean === null) return null;
  const isCategorical = bars.every(({ label }) => label !== null);
  const labelledBars = bars.map(({ label, from, to, count: value }) => ({
    label: label ?? `${scoreText(from)} to ${scoreText(to)}`,
    value,
  }));
  return (
    <>
      <FactsLine
        facts={[
          ['Scores', count(total)],
          ['Mean', scoreText(mean)],
          ['Minimum', scoreText(min)],
          ['Maximum', scoreText(max)],
        ]}
      />
      <div className="grid shrink-0 gap-x-6 border-line border-b px-pad pb-2 split:grid-cols-2">
        <section aria-label="By value" className="min-w-0">
          <ChartTitle title="By value">
            {!isCategorical && (
              <Text
                size="label"
                tone="dim"
                className="tabular-nums"
              >{`${scoreText(min)} to ${scoreText(max)}, ${plural(bars.length, 'bin')}`}</Text>
            )}
          </ChartTitle>
          {isCategorical ? (
            <CategoryBars label={`${name} by value`} bars={labelledBars} noun="scores" />
          ) : (
            <Histogram label={`${name} by value`} bars={labelledBars} noun="scores" />
          )}
        </section>
        <OverTime time={time} stepMs={step_ms} />
      </div>
    </>
  );
}

function OverTime({ time, stepMs }: { time: readonly { at: string; count: number; mean: number }[]; stepMs: number }) {
  const first = Date.parse(time[0]?.at ?? '');
  const last = Date.parse(time.at(-1)?.at ?? '');
  const steps = Math.round((last - first) / stepMs) + 1;
  const means = new Map(time.map(({ at, mean }) => [Math.round((Date.parse(at) - first) / stepMs), mean]));
  return (
    <TimeChart
      title="Mean over time"
      edges={Array.from({ length: steps + 1 }, (_, i) => first + i * stepMs)}
      series={[{ name: 'Mean', tone: 'accent', values: Array.from({ length: steps }, (_, i) => means.get(i) ?? null) }]}
      form="lines"
      format={scoreText}
    />
  );
}
