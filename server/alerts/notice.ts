/** Notices of status changes (docs/reference/records.md#webhooks). */
import type { Alert } from '../control/alert-store.ts';

const metricName: Record<Alert['metric'], string> = {
  error_rate: 'error rate',
  latency: 'mean latency',
  cost: 'cost',
  evaluation_score: 'score',
};

const unit: Record<Alert['metric'], string> = { error_rate: ' %', latency: ' ms', cost: ' USD', evaluation_score: '' };

const decimals = 10;

/** A number in plain decimal, as history has it: no exponent, and no noise of the last bits. */
export function decimalText(value: number): string {
  const written = Math.abs(value) >= 1e21 ? BigInt(Math.trunc(value)).toString() : value.toFixed(decimals);
  return written.includes('.') ? written.replace(/\.?0+$/, '') : written;
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
  const said = (number: number) => `${decimalText(number)}${unit[metric]}`;
  return `Alert "${name}" ${status}: ${subject} was ${said(value)} in the last ${time_window} minutes (threshold ${said(threshold)})`;
}

/** The body of a webhook, byte for byte. */
export function webhookBody(change: Change): string {
  const { alert, status, value, atMs } = change;
  const { id, threshold, time_window, metric } = alert;
  const said = { id, currentValue: value, threshold, status, timeWindow: `${time_window} minutes`, type: metric };
  return JSON.stringify({
    event: { type: 'alert', data: { alert: said, message: messageOf(change), timestamp: new Date(atMs).toISOString() } },
  });
}
