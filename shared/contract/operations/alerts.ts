import { z } from 'zod';
import { all, many, nothing, one } from '../core/envelope.ts';
import { paging } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { alertDraft, alertMetric, attentionFields } from './alert-draft.ts';

const alertStatus = z.enum(['triggered', 'resolved']);
const moment = z.iso.datetime().nullable();

const evaluation = {
  evaluation_name: z.string().nullable(),
  evaluation_aggregation: z.enum(['avg', 'individual']).nullable(),
  evaluation_threshold_direction: z.enum(['above', 'below']).nullable(),
};

export const alert = z
  .object({
    id: z.uuid(),
    tenant_id: z.uuid(),
    app_id: z.uuid(),
    environment_id: z.uuid().nullable(),
    name: z.string(),
    metric: alertMetric,
    threshold: z.number(),
    time_window: z.int(),
    status: alertStatus,
    use_slack: z.boolean(),
    use_webhook: z.boolean(),
    channel_ids: z.array(z.uuid()).meta({ description: 'Channels that are notified too.' }),
    owner_id: z.uuid().nullable().meta({ description: 'Who is responsible. They may have left the team.' }),
    ...evaluation,
    commit_sha: z.string().nullable(),
    created_at: moment,
    created_by: z.string().nullable(),
    updated_at: moment,
    updated_by: z.string().nullable(),
    ...attentionFields,
  })
  .meta({ id: 'Alert' });

export const alertHistory = z
  .object({
    id: z.uuid(),
    tenant_id: z.uuid(),
    app_id: z.uuid(),
    alert_id: z.uuid(),
    alert_name: z.string(),
    alert_metric: alertMetric,
    triggered_value: z.string().meta({ description: 'Decimal text, not a number.' }),
    status: alertStatus,
    ...evaluation,
    commit_sha: z.string().nullable(),
    created_at: moment,
  })
  .meta({ id: 'AlertHistory', description: 'One change between triggered and resolved.' });

const slackChannel = z.object({ id: z.string(), name: z.string(), is_archived: z.boolean() }).meta({ id: 'SlackChannel' });

const alertPath = z.object({ alertId: z.uuid() });
const declare = { tag: 'alerts', only: 'cloud', touches: ['control'] } as const;
const notFound = 'alert_not_found';

export const alerts = {
  list: route({
    ...declare,
    id: 'list-alerts',
    method: 'GET',
    path: '/v1/alerts',
    summary: 'List alerts, newest first',
    permission: 'alert.read',
    query: z.object({
      ...{ ...paging, status: alertStatus.optional(), metric: alertMetric.optional() },
      ...{ environment_id: z.uuid().optional(), owner_id: z.uuid().optional() },
    }),
    reply: many(alert),
    errors: ['entitlement_required'],
  }),
  create: route({
    ...declare,
    id: 'create-alert',
    method: 'POST',
    path: '/v1/alerts',
    summary: 'Create an alert',
    permission: 'alert.write',
    body: alertDraft,
    reply: one(alert),
    status: [201],
    errors: ['entitlement_required', 'duplicate_alert_name'],
  }),
  slackChannels: route({
    ...declare,
    id: 'list-slack-channels',
    method: 'GET',
    path: '/v1/alerts/slack-channels',
    summary: 'List the Slack channels that alerts can be posted to',
    permission: 'alert.read',
    reply: all(slackChannel),
    errors: ['entitlement_required'],
  }),
  get: route({
    ...declare,
    id: 'get-alert',
    method: 'GET',
    path: '/v1/alerts/:alertId',
    summary: 'Read one alert',
    permission: 'alert.read',
    params: alertPath,
    reply: one(alert),
    errors: ['entitlement_required', notFound],
  }),
  replace: route({
    ...declare,
    id: 'update-alert',
    method: 'PUT',
    path: '/v1/alerts/:alertId',
    summary: 'Replace an alert; what is left out takes its default',
    permission: 'alert.write',
    params: alertPath,
    body: alertDraft,
    reply: one(alert),
    errors: ['entitlement_required', notFound, 'duplicate_alert_name'],
  }),
  remove: route({
    ...declare,
    id: 'delete-alert',
    method: 'DELETE',
    path: '/v1/alerts/:alertId',
    summary: 'Delete an alert with its history',
    permission: 'alert.delete',
    params: alertPath,
    reply: nothing,
    status: [204],
    errors: ['entitlement_required', notFound],
  }),
  history: route({
    ...declare,
    id: 'list-alert-history',
    method: 'GET',
    path: '/v1/alerts/:alertId/history',
    summary: 'List when an alert triggered and resolved, newest first',
    permission: 'alert.read',
    params: alertPath,
    query: z.object(paging),
    reply: many(alertHistory),
    errors: ['entitlement_required', notFound],
  }),
};
