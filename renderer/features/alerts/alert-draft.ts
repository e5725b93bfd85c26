/** Draft of an alert: form fields and the request made from them. Numbers are texts. */
import { alertRule } from '../../../shared/contract/operations/alert-draft.ts';
import type { Alert, AlertDraft } from './alerts-query.ts';
import type { AlertRule } from './series-query.ts';

export interface AlertFields extends Pick<Alert, 'name' | 'metric' | 'use_slack' | 'use_webhook' | 'channel_ids'> {
  threshold: string;
  time_window: string;
  /** Empty for the whole app. */
  environment_id: string;
  /** Empty for nobody. */
  owner_id: string;
  evaluation_name: string;
  evaluation_aggregation: 'avg' | 'individual';
  evaluation_threshold_direction: 'above' | 'below';
}

const blank: AlertFields = {
  ...{ name: '', metric: 'error_rate', threshold: '', time_window: '15', environment_id: '', use_webhook: true, use_slack: false },
  ...{ channel_ids: [], owner_id: '' },
  ...{ evaluation_name: '', evaluation_aggregation: 'avg', evaluation_threshold_direction: 'below' },
};

/** Field names, as in validation errors. */
export const alertFieldNames = Object.keys(blank);

export const fieldsOf = (alert: Alert | null): AlertFields =>
  alert === null
    ? blank
    : {
        ...alert,
        threshold: String(alert.threshold),
        time_window: String(alert.time_window),
        environment_id: alert.environment_id ?? '',
        owner_id: alert.owner_id ?? '',
        evaluation_name: alert.evaluation_name ?? '',
        evaluation_aggregation: alert.evaluation_aggregation ?? 'avg',
        evaluation_threshold_direction: alert.evaluation_threshold_direction ?? 'below',
      };

/** Without those that were deleted meanwhile. */
export const existing = (ids: readonly string[], channels: readonly { id: string }[] | undefined): string[] =>
  ids.filter((id) => !channels || channels.some((channel) => channel.id === id));

/**
 * Request for these fields. Name, aggregation and direction apply only to scores.
 * @param channels of the app; undefined while they are not known
 */
export function draftOf(fields: AlertFields, channels?: readonly { id: string }[]): AlertDraft {
  const { name, metric, environment_id, use_slack, use_webhook, owner_id } = fields;
  const channel_ids = existing(fields.channel_ids, channels);
  const { evaluation_name, evaluation_aggregation, evaluation_threshold_direction } = fields;
  const score = metric === 'evaluation_score' ? { evaluation_name, evaluation_aggregation, evaluation_threshold_direction } : {};
  const numbers = { threshold: Number(fields.threshold), time_window: Number(fields.time_window) };
  const receivers = { use_slack, use_webhook, channel_ids, owner_id: owner_id || null };
  return { name: name.trim(), metric, ...numbers, ...receivers, environment_id: environment_id || null, ...score };
}

/** The condition of these fields; null while the gateway would refuse it. */
export function previewOf(fields: AlertFields): AlertRule | null {
  const { name: _, use_slack: __, use_webhook: ___, channel_ids: ____, owner_id: _____, ...rule } = draftOf(fields);
  return fields.threshold.trim() !== '' && alertRule.safeParse(rule).success ? rule : null;
}
