import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { tracesBehind } from '../../../shared/words/alert-traces.ts';
import { asFailure } from '../../api/failure.ts';
import { linkButton } from '../../ui/primitives/button.tsx';
import { FailedState } from '../../ui/primitives/failed-state.tsx';
import { Segmented } from '../../ui/primitives/segmented.tsx';
import { SkeletonRows } from '../../ui/primitives/skeleton.tsx';
import { Text } from '../../ui/primitives/text.tsx';
import type { Alert, AlertChange } from './alerts-query.ts';
import { SeriesChart, triggersInWords } from './series-chart.tsx';
import { type AlertSeries, useSeries } from './series-query.ts';

const ranges = [
  { id: '6', label: '6 h' },
  { id: '24', label: '24 h' },
  { id: '168', label: '7 d' },
] as const;

const minuteMs = 60_000;

interface AlertCourseProps {
  alert: Alert;
  /** Name of its environment; undefined for the whole app. */
  environment: string | undefined;
  /** Newest first. */
  history: readonly AlertChange[];
}

/** The value of an alert over the last hours or days, with its threshold and its history. */
export function AlertCourse({ alert, environment, history }: AlertCourseProps) {
  const [hours, setHours] = useState<(typeof ranges)[number]['id']>('24');
  const navigate = useNavigate();
  const { metric, threshold, time_window, environment_id } = alert;
  const series = useSeries(alert.id, Number(hours), JSON.stringify([metric, threshold, time_window, alert.updated_at]));
  const isPlaceKnown = environment_id === null || environment !== undefined;
  // Null is all environments; without it, the one of this page would be kept.
  const searchOf = (time: { from: number; to: number }) => ({
    ...tracesBehind(alert),
    ...time,
    ...(environment_id === null ? { environment: null } : environment !== undefined && { environment }),
  });
  const end = series.data && series.data.from + series.data.values.length * series.data.step_ms;
  return (
    <section aria-label="Values" className="grid shrink-0 gap-2 border-line border-b px-pad py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="Time" options={ranges} value={hours} onChange={setHours} />
        {series.data && <Text tone="dim">{`With its present condition: ${timesInWords(series.data)}`}</Text>}
        {end !== undefined && isPlaceKnown && (
          <Link to="/traces" search={searchOf({ from: end - time_window * minuteMs, to: end })} className={`${linkButton} ml-auto`}>
            Open the traces
          </Link>
        )}
      </div>
      {series.data ? (
        <SeriesChart
          rule={alert}
          series={series.data}
          periods={recorded(history, series.data.from)}
          {...(isPlaceKnown && { onBrush: (time) => void navigate({ to: '/traces', search: searchOf(time) }) })}
        />
      ) : series.isError ? (
        <FailedState failure={asFailure(series.error, 'The values could not be loaded')} onRetry={() => void series.refetch()} />
      ) : (
        <SkeletonRows rows={4} label="Loading the values" />
      )}
    </section>
  );
}

function timesInWords(series: AlertSeries): string {
  const times = triggersInWords(series);
  return times === null ? 'not triggered' : `triggered ${times}`;
}

/** When the alert was triggered, as its history says, since a time. @param history newest first */
function recorded(history: readonly AlertChange[], since: number): AlertSeries['periods'] {
  const periods: AlertSeries['periods'] = [];
  for (const { status, created_at } of history.toReversed()) {
    const at = Date.parse(String(created_at));
    const last = periods.at(-1);
    if (status === 'triggered') periods.push({ from: at, to: null });
    else if (last) last.to = at;
  }
  return periods.filter(({ to }) => to === null || to > since);
}
