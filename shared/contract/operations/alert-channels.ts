/** Channels that alerts notify, several for each alert. Additive, for people: API keys cannot set them, and what grants access is never shown. */
import { z } from 'zod';
import { nothing, one } from '../core/envelope.ts';
import { bounded } from '../core/parameters.ts';
import { route } from '../core/route.ts';
import { testResult } from './alert-delivery.ts';

export const channelsMax = 50;

export const channelKind = z.enum(['webhook', 'slack', 'teams', 'pagerduty', 'email']);

const channel = z
  .object({
    id: z.uuid(),
    kind: channelKind,
    name: z.string(),
    shown: z.string().meta({ description: 'The host of a URL, or the e-mail address. Empty for PagerDuty.' }),
    created_at: z.iso.datetime(),
    created_by: z.string().nullable(),
    updated_at: z.iso.datetime().nullable(),
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'AlertChannel', description: 'A receiver of notifications that alerts of the app can name.' });

const channels = z
  .object({
    channels: z.array(channel).max(channelsMax).meta({ description: 'By name.' }),
    kinds: z.array(channelKind).meta({ description: 'Those that can be added: `email` only where the gateway sends e-mail.' }),
  })
  .meta({ id: 'AlertChannels', description: 'The channels of an app, and what can be added.' });

const name = bounded(1, 100);
const address = bounded(1, 2048).meta({
  description:
    'URL of a webhook, of Slack or of Teams; integration key of PagerDuty; e-mail address of a member of the team. Never shown again, except for the last.',
});
const secret = bounded(16, 256).optional();

const draft = z.object({
  kind: channelKind,
  name,
  address,
  secret: secret.meta({ description: 'Signs what is sent to a webhook, which needs one. Other kinds have none.' }),
});
const change = z.object({
  name,
  address: address.optional().meta({ description: 'Absent: unchanged.' }),
  secret: secret.meta({ description: 'Absent: unchanged. A webhook that moves to another host needs a new one.' }),
});

const declare = { tag: 'alerts', only: 'cloud', touches: ['control'], credential: 'session' } as const;
const path = '/v1/alert-channels';
const onePath = `${path}/:channelId` as const;
const params = z.object({ channelId: z.uuid() });

export const alertChannels = {
  list: route({
    ...declare,
    id: 'list-alert-channels',
    method: 'GET',
    path,
    summary: 'List the channels that alerts of the app can notify',
    permission: 'alert.read',
    reply: one(channels),
    errors: ['entitlement_required'],
  }),
  create: route({
    ...declare,
    id: 'create-alert-channel',
    method: 'POST',
    path,
    summary: 'Add a channel that alerts can notify',
    permission: 'alert.write',
    body: draft,
    reply: one(channel),
    status: [201],
    errors: ['entitlement_required', 'duplicate_alert_channel_name'],
  }),
  change: route({
    ...declare,
    id: 'update-alert-channel',
    method: 'PUT',
    path: onePath,
    summary: 'Change the name, address or secret of a channel',
    permission: 'alert.write',
    params,
    body: change,
    reply: one(channel),
    errors: ['entitlement_required', 'alert_channel_not_found', 'duplicate_alert_channel_name'],
  }),
  remove: route({
    ...declare,
    id: 'delete-alert-channel',
    method: 'DELETE',
    path: onePath,
    summary: 'Delete a channel, also from the alerts that notify it',
    permission: 'alert.write',
    params,
    reply: nothing,
    status: [204],
    errors: ['entitlement_required', 'alert_channel_not_found'],
  }),
  test: route({
    ...declare,
    touches: [],
    id: 'test-alert-channel',
    method: 'POST',
    path: `${onePath}/test`,
    summary: 'Send a test notification to a channel',
    permission: 'alert.write',
    params,
    reply: one(testResult),
    errors: ['entitlement_required', 'alert_channel_not_found'],
  }),
};

export type AlertChannel = z.output<typeof channel>;
export type AlertChannelKind = z.output<typeof channelKind>;
