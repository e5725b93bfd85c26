/** Where notifications of alerts go. Additive, for the dashboard: API keys cannot set these, and secrets are never shown again. */
import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, headerText, paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { delivery, testResult } from './alert-delivery.ts';

const changeFields = { updated_at: z.iso.datetime(), updated_by: z.string().nullable() };

const webhook = z
  .object({
    environment_id: z.uuid(),
    url: z.string(),
    has_secret: z.boolean().meta({ description: 'Nothing is sent without one.' }),
    previous_secret_until: z.iso.datetime().nullable().meta({ description: 'Until then the replaced secret signs as well.' }),
    ...changeFields,
  })
  .meta({ id: 'AlertWebhook' });

const newWebhook = z.object({
  url: text.min(1, 'must not be empty').max(2048, 'must not be longer than 2048 characters'),
  secret: bounded(16, 256).optional().meta({ description: 'Absent: unchanged, unless the host changes.' }),
});

const slack = z
  .object({ channel_id: z.string().nullable(), ...changeFields })
  .meta({ id: 'AlertSlackConnection', description: 'The channel that notifications of this app are posted to.' });

const newSlack = z.object({
  token: headerText(10, 512).optional().meta({ description: 'Token of a bot. Absent: unchanged.' }),
  channel_id: z
    .string()
    .regex(/^[A-Z0-9]{2,32}$/, 'must be the id of a channel, such as C0123456789')
    .nullable()
    .default(null)
    .meta({ description: 'Nothing is sent while null.' }),
});

const declare = { tag: 'alerts', only: 'cloud', touches: ['control'], credential: 'session' } as const;
const declareTest = { ...declare, method: 'POST', touches: [] } as const;
const environmentParams = z.object({ environmentId: z.uuid() });
const webhookErrors = ['entitlement_required', 'environment_not_found'] as const;
const webhookPath = '/v1/alert-destinations/webhooks/:environmentId';
const slackPath = '/v1/alert-destinations/slack';

export const alertDestinations = {
  webhook: route({
    ...declare,
    id: 'get-alert-webhook',
    method: 'GET',
    path: webhookPath,
    summary: 'Read the webhook of an environment; null when it has none',
    permission: 'alert.read',
    params: environmentParams,
    reply: one(webhook.nullable()),
    errors: webhookErrors,
  }),
  putWebhook: route({
    ...declare,
    id: 'put-alert-webhook',
    method: 'PUT',
    path: webhookPath,
    summary: 'Set the webhook of an environment; a change of host removes the secret',
    permission: 'alert.write',
    params: environmentParams,
    body: newWebhook,
    reply: one(webhook),
    errors: webhookErrors,
  }),
  removeWebhook: route({
    ...declare,
    id: 'delete-alert-webhook',
    method: 'DELETE',
    path: webhookPath,
    summary: 'Delete the webhook of an environment',
    permission: 'alert.write',
    params: environmentParams,
    reply: nothing,
    status: [204],
    errors: webhookErrors,
  }),
  testWebhook: route({
    ...declareTest,
    id: 'test-alert-webhook',
    path: `${webhookPath}/test`,
    summary: 'Post a test to the saved webhook, signed with the saved secret',
    permission: 'alert.write',
    params: environmentParams,
    reply: one(testResult),
    errors: webhookErrors,
  }),
  slack: route({
    ...declare,
    id: 'get-alert-slack',
    method: 'GET',
    path: slackPath,
    summary: 'Read the Slack channel of the app; null when Slack is not connected',
    permission: 'alert.read',
    reply: one(slack.nullable()),
    errors: ['entitlement_required'],
  }),
  putSlack: route({
    ...declare,
    id: 'put-alert-slack',
    method: 'PUT',
    path: slackPath,
    summary: 'Set the Slack channel that the alerts of the app are posted to',
    permission: 'alert.write',
    body: newSlack,
    reply: one(slack),
    errors: ['entitlement_required'],
  }),
  removeSlack: route({
    ...declare,
    id: 'delete-alert-slack',
    method: 'DELETE',
    path: slackPath,
    summary: 'Delete the connection to Slack',
    permission: 'alert.write',
    reply: nothing,
    status: [204],
    errors: ['entitlement_required'],
  }),
  testSlack: route({
    ...declareTest,
    id: 'test-alert-slack',
    path: `${slackPath}/test`,
    summary: 'Post a test message to the saved channel',
    permission: 'alert.write',
    reply: one(testResult),
    errors: ['entitlement_required'],
  }),
  deliveries: route({
    ...declare,
    id: 'list-alert-deliveries',
    method: 'GET',
    path: '/v1/alerts/:alertId/deliveries',
    summary: 'List the deliveries of the notifications of an alert, newest first',
    permission: 'alert.read',
    params: z.object({ alertId: z.uuid() }),
    query: z.object(paging),
    reply: many(delivery),
    errors: ['entitlement_required', 'alert_not_found'],
  }),
};

export type AlertWebhook = z.output<typeof webhook>;
export type AlertSlackConnection = z.output<typeof slack>;
