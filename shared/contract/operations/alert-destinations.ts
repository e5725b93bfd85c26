/** Where notifications of alerts go. Additive, for the dashboard: only people set these, and nobody is shown a secret again. */
import { z } from 'zod';
import { many, nothing, one } from '../core/envelope.ts';
import { bounded, headerText, paging, text } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { delivery, trial } from './alert-delivery.ts';

const changed = { updated_at: z.iso.datetime(), updated_by: z.string().nullable() };

const webhook = z
  .object({
    environment_id: z.uuid(),
    url: z.string(),
    has_secret: z.boolean().meta({ description: 'Nothing is sent without one.' }),
    previous_secret_until: z.iso.datetime().nullable().meta({ description: 'Until then a replaced secret signs beside the new one.' }),
    ...changed,
  })
  .meta({ id: 'AlertWebhook' });

const newWebhook = z.object({
  url: text.min(1, 'must not be empty').max(2048, 'must not be longer than 2048 characters'),
  secret: bounded(16, 256).optional().meta({ description: 'Absent: stays as it is, unless the host is another one.' }),
});

const slack = z
  .object({ channel_id: z.string().nullable(), ...changed })
  .meta({ id: 'AlertSlackConnection', description: 'Which channel the messages of this app go to.' });

const newSlack = z.object({
  token: headerText(10, 512).optional().meta({ description: 'Of a bot. Absent: stays as it is.' }),
  channel_id: z
    .string()
    .regex(/^[A-Z0-9]{2,32}$/, 'must be the id of a channel, such as C0123456789')
    .nullable()
    .default(null)
    .meta({ description: 'Nothing is sent while null.' }),
});

const declare = { tag: 'alerts', only: 'cloud', touches: ['control'], credential: 'session' } as const;
const attempt = { ...declare, method: 'POST', touches: [] } as const;
const ofEnvironment = z.object({ environmentId: z.uuid() });
const gone = ['entitlement_required', 'environment_not_found'] as const;
const webhookPath = '/v1/alert-destinations/webhooks/:environmentId';
const slackPath = '/v1/alert-destinations/slack';

export const alertDestinations = {
  webhook: route({
    ...declare,
    id: 'get-alert-webhook',
    method: 'GET',
    path: webhookPath,
    summary: 'Read where the alerts of an environment are posted; null while nowhere',
    permission: 'alert.read',
    params: ofEnvironment,
    reply: one(webhook.nullable()),
    errors: gone,
  }),
  putWebhook: route({
    ...declare,
    id: 'put-alert-webhook',
    method: 'PUT',
    path: webhookPath,
    summary: 'Say where the alerts of an environment are posted; another host forgets the secret',
    permission: 'alert.write',
    params: ofEnvironment,
    body: newWebhook,
    reply: one(webhook),
    errors: gone,
  }),
  removeWebhook: route({
    ...declare,
    id: 'delete-alert-webhook',
    method: 'DELETE',
    path: webhookPath,
    summary: 'Post the alerts of an environment nowhere',
    permission: 'alert.write',
    params: ofEnvironment,
    reply: nothing,
    status: [204],
    errors: gone,
  }),
  testWebhook: route({
    ...attempt,
    id: 'test-alert-webhook',
    path: `${webhookPath}/test`,
    summary: 'Post a test to the address that is saved, signed with the secret that is saved',
    permission: 'alert.write',
    params: ofEnvironment,
    reply: one(trial),
    errors: gone,
  }),
  slack: route({
    ...declare,
    id: 'get-alert-slack',
    method: 'GET',
    path: slackPath,
    summary: 'Read which Slack channel the alerts of the app go to; null while to none',
    permission: 'alert.read',
    reply: one(slack.nullable()),
    errors: ['entitlement_required'],
  }),
  putSlack: route({
    ...declare,
    id: 'put-alert-slack',
    method: 'PUT',
    path: slackPath,
    summary: 'Say which Slack channel the alerts of the app go to',
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
    summary: 'Forget the connection to Slack',
    permission: 'alert.write',
    reply: nothing,
    status: [204],
    errors: ['entitlement_required'],
  }),
  testSlack: route({
    ...attempt,
    id: 'test-alert-slack',
    path: `${slackPath}/test`,
    summary: 'Post a test message to the channel that is saved',
    permission: 'alert.write',
    reply: one(trial),
    errors: ['entitlement_required'],
  }),
  deliveries: route({
    ...declare,
    id: 'list-alert-deliveries',
    method: 'GET',
    path: '/v1/alerts/:alertId/deliveries',
    summary: 'List what became of the notifications of an alert, newest first',
    permission: 'alert.read',
    params: z.object({ alertId: z.uuid() }),
    query: z.object(paging),
    reply: many(delivery),
    errors: ['entitlement_required', 'alert_not_found'],
  }),
};

export type AlertWebhook = z.output<typeof webhook>;
export type AlertSlackConnection = z.output<typeof slack>;
