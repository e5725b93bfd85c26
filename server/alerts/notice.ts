/** Notices of status changes (docs/reference/records.md#webhooks). */
import type { Alert } from '../control/alert-store.ts';

const metricName: Record<Alert['metric'], string> = {
  error_rate: 'error rate',
  latency: 'mean latency',
  cost: 'cost',
  runaway_runs: 'number of runs that may be running away',
  evaluation_score: 'score',
};

const unit: Record<Alert['metric'], string> = { error_rate: ' %', latency: ' ms', cost: ' USD', runaway_runs: '', evaluation_score: '' };

const decimals = 10;

/** A number as plain decimal text, as in the history: no exponent, and no rounding noise. */
export function decimalText(value: number): string {
  const text = Math.abs(value) >= 1e21 ? BigInt(Math.trunc(value)).toString() : value.toFixed(decimals);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

export interface Change {
  alert: Alert;
  status: Alert['status'];
  value: number;
  atMs: number;
}

export function messageOf({ alert, status, value }: Change): string {
  const { name, metric, threshold, time_window, evaluation_name } = alert;
  const subject = metric === 'evaluation_score' ? `${evaluation_name} ${metricName[metric]}` : metricName[metric];
  const withUnit = (number: number) => `${decimalText(number)}${unit[metric]}`;
  return `Alert "${name}" ${status}: ${subject} was ${withUnit(value)} in the last ${time_window} minutes (threshold ${withUnit(threshold)})`;
}

/** The exact body of a webhook. */
export function webhookBody(change: Change): string {
  const { alert, status, value, atMs } = change;
  const { id, threshold, time_window, metric } = alert;
  const summary = { id, currentValue: value, threshold, status, timeWindow: `${time_window} minutes`, type: metric };
  return JSON.stringify({
    event: { type: 'alert', data: { alert: summary, message: messageOf(change), timestamp: new Date(atMs).toISOString() } },
  });
}
