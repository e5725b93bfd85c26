import type { ReactNode } from 'react';
import { duration } from '../../model/text/format.ts';
import { milliseconds } from '../../model/time/time.ts';
import { TimeChart } from '../../ui/charts/time-chart.tsx';
import type { Alert } from './alerts-query.ts';
import type { AlertSeries } from './series-query.ts';
import { metricLabel, valueInWords } from './words.ts';

interface SeriesChartProps {
  rule: Pick<Alert, 'metric' | 'threshold'>;
  series: AlertSeries;
  /** When it was triggered. */
  periods: AlertSeries['periods'];
  action?: ReactNode;
  onBrush?: (time: { from: number; to: number }) => void;
}

/** Values of a condition over time, its threshold as a line, and the times when it was triggered. */
export function SeriesChart({ rule: { metric, threshold }, series, periods, action, onBrush }: SeriesChartProps) {
  const { from, step_ms, values } = series;
  const edges = Array.from({ length: values.length + 1 }, (_, step) => from + step * step_ms);
  const end = from + values.length * step_ms;
  return (
    <TimeChart
      title={metricLabel(metric)}
      action={action}
      edges={edges}
      form="lines"
      format={(value) => valueInWords(metric, value)}
      series={[
        { name: 'Value', tone: 'accent', values },
        { name: `Threshold ${valueInWords(metric, threshold)}`, tone: 'err', isDashed: true, values: values.map(() => threshold) },
      ]}
      marked={periods.map((period) => ({ from: Math.max(from, period.from), to: Math.min(end, period.to ?? end) }))}
      {...(onBrush && { onBrush: (first, last) => onBrush({ from: edges[first] ?? from, to: edges[last + 1] ?? end }) })}
    />
  );
}

/** `3 times, for 2 h 05 m in all`; null for never. */
export function triggersInWords({ triggered, triggered_ms }: AlertSeries): string | null {
  if (triggered === 0) return null;
  return `${triggered === 1 ? 'once' : `${triggered} times`}, for ${duration(milliseconds(triggered_ms))}${triggered === 1 ? '' : ' in all'}`;
}
