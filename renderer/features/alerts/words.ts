/** Texts of alerts: status, metric, unit and condition. */
import { triggersBelow } from '../../../shared/contract/operations/alert-draft.ts';
import { alertFigure } from '../../../shared/words/alert-words.ts';
import { when } from '../../model/time/time.ts';
import type { Alert } from './alerts-query.ts';

type Metric = Alert['metric'];

export const statusLabels = { triggered: 'Triggered', resolved: 'Resolved' } as const;

export const metrics: readonly { id: Metric; label: string; unit: string; about: string }[] = [
  { id: 'error_rate', label: 'Error rate', unit: '%', about: 'Percentage of failed model calls.' },
  { id: 'latency', label: 'Latency', unit: 'ms', about: 'Mean duration of model calls, in milliseconds.' },
  { id: 'cost', label: 'Cost', unit: 'USD', about: 'Total cost of model calls, in US dollars.' },
  {
    id: 'runaway_runs',
    label: 'Runaway runs',
    unit: 'runs',
    about: 'Runs that go on without getting anywhere. With 0, the first one triggers.',
  },
  {
    id: 'model_calls',
    label: 'Model calls',
    unit: 'calls',
    about: 'Triggers when there are fewer calls than this: with 1, when an application has fallen silent.',
  },
  { id: 'evaluation_score', label: 'Score', unit: '0 to 1', about: 'Scores with one name, from 0 to 1.' },
];

export function valueInWords(metric: Metric, value: number): string {
  return Number.isFinite(value) ? alertFigure(metric, value) : '—';
}

export const metricLabel = (metric: Metric): string => metrics.find(({ id }) => id === metric)?.label ?? metric;

export const isMuted = ({ muted_until }: Pick<Alert, 'muted_until'>, now = Date.now()): boolean =>
  muted_until === 'resolved' || (muted_until !== null && Date.parse(muted_until) > now);

/** `Muted until 14:03:21`; '' for an alert that is neither muted nor acknowledged. */
export function attentionInWords(alert: Pick<Alert, 'muted_until' | 'acknowledged_at'>): string {
  const { muted_until, acknowledged_at } = alert;
  const parts = [
    isMuted(alert) && `Muted until ${muted_until === 'resolved' ? 'it resolves' : when(String(muted_until))}`,
    acknowledged_at !== null && 'Acknowledged',
  ];
  return parts.filter(Boolean).join(', ');
}

/** Condition of an alert, such as `Error rate above 5 % within 15 min`. */
export function ruleInWords(alert: Alert): string {
  const { metric, threshold, time_window, evaluation_name, evaluation_aggregation } = alert;
  const label = metricLabel(metric);
  const subject = metric === 'evaluation_score' ? `${evaluation_aggregation === 'individual' ? 'Any' : 'Mean'} ${evaluation_name}` : label;
  return `${subject} ${triggersBelow(alert) ? 'below' : 'above'} ${valueInWords(metric, threshold)} within ${time_window} min`;
}

type Receivers = Pick<Alert, 'use_slack' | 'use_webhook' | 'channel_ids' | 'owner_id'>;

/** Where notifications go. @param sendsMail whether the gateway sends e-mail, by which an owner is told */
export function recipientsInWords({ use_slack, use_webhook, channel_ids, owner_id }: Receivers, sendsMail: boolean): string {
  const { length } = channel_ids;
  const channels = length > 0 && `${length} ${length === 1 ? 'channel' : 'channels'}`;
  const owner = sendsMail && owner_id !== null && 'Owner';
  return [use_webhook && 'Webhook', use_slack && 'Slack', channels, owner].filter(Boolean).join(', ') || 'Nobody';
}

/** @param names of the members; null while they are not known */
export function ownerInWords({ owner_id }: Pick<Alert, 'owner_id'>, names: ReadonlyMap<string, string> | null): string {
  if (owner_id === null) return 'Nobody';
  return names === null ? '…' : (names.get(owner_id) ?? 'A former member');
}
