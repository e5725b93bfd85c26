import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { AlertChannelKind } from '../../../../shared/contract/operations/alert-channels.ts';
import type { AlertDelivery, DeliveryState } from '../../../../shared/contract/operations/alert-delivery.ts';
import type { Alert } from '../../alert-store.ts';

const evaluation = {
  evaluation_name: text(),
  evaluation_aggregation: text().$type<Alert['evaluation_aggregation']>(),
  evaluation_threshold_direction: text().$type<Alert['evaluation_threshold_direction']>(),
};

export const alerts = sqliteTable('alert', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  environment_id: text(),
  name: text().notNull(),
  metric: text().$type<Alert['metric']>().notNull(),
  threshold: real().notNull(),
  time_window: integer().notNull(),
  status: text().$type<Alert['status']>().notNull(),
  use_slack: integer({ mode: 'boolean' }).notNull(),
  use_webhook: integer({ mode: 'boolean' }).notNull(),
  ...evaluation,
  commit_sha: text(),
  created_at: text().notNull(),
  created_by: text(),
  updated_at: text(),
  updated_by: text(),
  muted_until: text().$type<Alert['muted_until']>(),
  muted_by: text(),
  acknowledged_at: text(),
  acknowledged_by: text(),
  /** These are null in alerts of earlier versions. */
  is_silenced: integer({ mode: 'boolean' }),
  channel_ids: text({ mode: 'json' }).$type<string[]>(),
  owner_id: text(),
});

export const alertHistory = sqliteTable('alert_history', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  alert_id: text().notNull(),
  alert_name: text().notNull(),
  alert_metric: text().$type<Alert['metric']>().notNull(),
  triggered_value: text().notNull(),
  status: text().$type<Alert['status']>().notNull(),
  ...evaluation,
  commit_sha: text(),
  created_at: text().notNull(),
});

export const alertWebhooks = sqliteTable('alert_webhook', {
  environment_id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  url: text().notNull(),
  sealed_secret: text(),
  sealed_previous_secret: text(),
  previous_secret_until: text(),
  updated_at: text().notNull(),
  updated_by: text(),
});

export const alertSlack = sqliteTable('alert_slack', {
  app_id: text().primaryKey(),
  tenant_id: text().notNull(),
  sealed_token: text().notNull(),
  channel_id: text(),
  updated_at: text().notNull(),
  updated_by: text(),
});

export const alertChannels = sqliteTable('alert_channel', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  kind: text().$type<AlertChannelKind>().notNull(),
  name: text().notNull(),
  sealed: text().notNull(),
  shown: text().notNull(),
  created_at: text().notNull(),
  created_by: text(),
  updated_at: text(),
  updated_by: text(),
});

export const alertDeliveries = sqliteTable('alert_delivery', {
  id: text().primaryKey(),
  tenant_id: text().notNull(),
  app_id: text().notNull(),
  alert_id: text().notNull(),
  history_id: text().notNull(),
  destination: text().$type<AlertDelivery['destination']>().notNull(),
  environment_id: text(),
  payload: text().notNull(),
  state: text().$type<DeliveryState>().notNull(),
  answer: text(),
  attempts: integer().notNull(),
  next_at: text().notNull(),
  created_at: text().notNull(),
  finished_at: text(),
  /** Channel, or member of the team; null for the webhook of an environment and the Slack channel of the app. */
  target_id: text(),
  /** Null until it is sent for the first time. */
  group_id: text(),
});
