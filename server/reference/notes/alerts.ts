import { alertAttention } from '../../../shared/contract/operations/alert-attention.ts';
import { alertChannels } from '../../../shared/contract/operations/alert-channels.ts';
import { alertDestinations } from '../../../shared/contract/operations/alert-destinations.ts';
import { alertSeriesRoutes } from '../../../shared/contract/operations/alert-series.ts';
import { alerts } from '../../../shared/contract/operations/alerts.ts';
import { notesOn } from '../note.ts';
import { ids, page } from './samples.ts';

const evaluation = { evaluation_name: null, evaluation_aggregation: null, evaluation_threshold_direction: null };
const changeFields = { updated_at: '2026-01-15T09:00:00.000Z', updated_by: ids.person };

const alert = {
  id: ids.alert,
  tenant_id: ids.tenant,
  app_id: ids.app,
  environment_id: ids.production,
  name: 'Too many failures',
  metric: 'error_rate' as const,
  threshold: 5,
  time_window: 15,
  status: 'resolved' as const,
  use_slack: false,
  use_webhook: true,
  ...{ channel_ids: [ids.channel], owner_id: ids.person },
  ...evaluation,
  commit_sha: null,
  created_at: '2026-01-15T09:00:00.000Z',
  created_by: ids.person,
  ...changeFields,
  ...{ muted_until: null, muted_by: null, acknowledged_at: null, acknowledged_by: null, is_silenced: false },
};
const triggered = { ...alert, status: 'triggered' as const };
const attention = {
  muted: { ...triggered, muted_until: '2026-01-15T17:00:00.000Z', muted_by: ids.person },
  acknowledged: { ...triggered, acknowledged_at: '2026-01-15T10:50:00.000Z', acknowledged_by: ids.person },
};
const series = {
  ...{ from: 1_768_471_200_000, step_ms: 480_000, values: [1.5, 2, null, 7.5, 8.1, 2.2] },
  ...{ triggered: 1, triggered_ms: 960_000, periods: [{ from: 1_768_473_000_000, to: 1_768_473_960_000 }] },
};

const draft = {
  name: 'Too many failures',
  metric: 'error_rate' as const,
  threshold: 5,
  time_window: 15,
  use_webhook: true,
  environment_id: ids.production,
};

const webhook = {
  environment_id: ids.production,
  url: 'https://hooks.acme.example/glasshouse',
  has_secret: true,
  previous_secret_until: null,
  ...changeFields,
};

const slack = { channel_id: 'C0123456789', ...changeFields };
const channel = {
  ...{ id: ids.channel, kind: 'pagerduty' as const, name: 'On call', shown: '' },
  ...{ created_at: '2026-01-15T09:00:00.000Z', created_by: ids.person, updated_at: null, updated_by: null },
};
const channelPath = { channelId: ids.channel };
const path = { alertId: ids.alert };
const environmentParams = { environmentId: ids.production };

export const alertNotes = {
  ...notesOn(alerts, {
    list: {
      description: 'The alerts of the app, newest first, and whether each is triggered.',
      query: { status: 'triggered' },
      reply: { data: [triggered], pagination: page(1) },
    },
    create: {
      description:
        'Watches a metric of one environment, or of the whole app. Every minute the last `time_window` minutes are evaluated: the alert ' +
        'triggers when the value is above the threshold and resolves when it no longer is; only these changes are notified. An alert on ' +
        'scores (`evaluation_score`) needs all three `evaluation_` properties, other alerts must not have them.',
      body: draft,
      reply: { data: alert },
    },
    slackChannels: {
      description: 'The channels that the Slack connection of the app can access. Empty where Slack is not connected.',
      reply: { data: [{ id: 'C0123456789', name: 'support-bot', is_archived: false }] },
    },
    get: { description: 'One alert: what it watches, where notifications go, and whether it is triggered.', path, reply: { data: alert } },
    replace: {
      description:
        'Replaces an alert as a whole: a property that is left out gets its default, so send everything that was read. Properties that only ' +
        'the gateway sets are ignored.',
      path,
      body: { ...draft, threshold: 10 },
      reply: { data: { ...alert, threshold: 10 } },
    },
    remove: { description: 'Deletes an alert with its history. There are no more notifications of it.', path },
    history: {
      description: 'When an alert triggered and resolved, newest first, with the value that caused it.',
      path,
      query: { limit: 50 },
      reply: {
        data: [
          {
            id: '0e37df36-f698-41e6-a8f2-3f1f9d1a7a55',
            tenant_id: ids.tenant,
            app_id: ids.app,
            alert_id: ids.alert,
            alert_name: alert.name,
            alert_metric: 'error_rate',
            triggered_value: '7.5',
            status: 'triggered',
            ...evaluation,
            commit_sha: null,
            created_at: '2026-01-15T10:44:00.000Z',
          },
        ],
        pagination: page(1),
      },
    },
  }),
  ...notesOn(alertSeriesRoutes, {
    series: {
      description:
        'What the alert measures, or would have measured with its present condition, over the last hours: at most 200 steps, and when it ' +
        'was beyond the threshold. It is computed from the stored traces, so it may differ from the history, which has what was found then.',
      path,
      query: { hours: 24 },
      reply: { data: series },
    },
    preview: {
      description:
        'When an alert with this condition would have triggered in the last seven days, evaluated once a minute, with its values in at most ' +
        '200 steps. Nothing is stored.',
      body: { metric: draft.metric, threshold: draft.threshold, time_window: draft.time_window, environment_id: draft.environment_id },
      reply: { data: series },
    },
  }),
  ...notesOn(alertAttention, {
    mute: {
      description:
        'Nobody is notified of the alert until then; it is still evaluated, and its history is recorded. If it triggers meanwhile and still ' +
        'is triggered when the mute ends, it is notified then. That it resolved is notified to those who were notified that it triggered.',
      path,
      body: { until: '2026-01-15T17:00:00.000Z' },
      reply: { data: attention.muted },
    },
    unmute: { description: 'Ends the mute of an alert, if it is muted.', path, reply: { data: triggered } },
    acknowledge: {
      description: 'Says that somebody looks after a triggered alert. It changes neither its status nor what is notified.',
      path,
      reply: { data: attention.acknowledged },
    },
  }),
  ...notesOn(alertChannels, {
    list: {
      description: 'The channels of the app by name, and the kinds that can be added. What grants access is never shown.',
      reply: { data: { channels: [channel], kinds: ['webhook', 'slack', 'teams', 'pagerduty'] } },
    },
    create: {
      description:
        'Adds a webhook, an incoming webhook of Slack, a webhook of Microsoft Teams Workflows, an integration of PagerDuty (Events API v2) or ' +
        'the e-mail address of a member of the team. An alert notifies the channels in its `channel_ids`, each on its own.',
      body: { kind: 'pagerduty', name: 'On call', address: '0123456789abcdef0123456789abcdef' },
      reply: { data: channel },
    },
    change: {
      description: 'Changes a channel. Its address and secret stay when they are left out; its kind cannot change.',
      path: channelPath,
      body: { name: 'On call' },
      reply: { data: { ...channel, ...changeFields } },
    },
    remove: {
      description: 'Deletes a channel. Alerts no longer notify it, and what is on its way to it is not sent.',
      path: channelPath,
    },
    test: {
      description: 'Sends a test to the saved address and returns the result. In PagerDuty it opens an incident and resolves it.',
      path: channelPath,
      reply: { data: { state: 'delivered', answer: '2xx' } },
    },
  }),
  ...notesOn(alertDestinations, {
    webhook: {
      description:
        'The webhook that the alerts of an environment are posted to. `data` is null where none is set. The secret is never shown again.',
      path: environmentParams,
      reply: { data: webhook },
    },
    putWebhook: {
      description:
        'Sets the URL that the alerts of an environment are posted to, and the secret that signs them: the header ' +
        '`X-Service-Signature-256` is `sha256=` and the HMAC of the body. For a while a replaced secret signs in addition to the new ' +
        'one. The secret stays when it is left out, unless the host changes.',
      path: environmentParams,
      body: { url: webhook.url, secret: 'at least sixteen characters' },
      reply: { data: webhook },
    },
    removeWebhook: {
      description: 'Deletes the URL and the secret. The alerts of the environment are no longer posted.',
      path: environmentParams,
    },
    testWebhook: {
      description: 'Posts a test notification to the saved URL, signed like a real one, and returns the result.',
      path: environmentParams,
      reply: { data: { state: 'delivered', answer: '2xx' } },
    },
    slack: {
      description:
        'The Slack channel that the alerts of the app are posted to. `data` is null where Slack is not connected. The token is never shown.',
      reply: { data: slack },
    },
    putSlack: {
      description: 'Connects Slack with the token of a bot, or chooses another channel with the saved token.',
      body: { token: 'xoxb-the-token-of-a-bot', channel_id: 'C0123456789' },
      reply: { data: slack },
    },
    removeSlack: { description: 'Deletes the token and the channel. The alerts of the app are no longer posted to Slack.' },
    testSlack: {
      description: 'Posts a test message to the saved channel and returns the result.',
      reply: { data: { state: 'delivered', answer: '2xx' } },
    },
    deliveries: {
      description: 'The state of each notification of an alert, newest first: delivered, given up, or waiting for a retry.',
      path,
      query: { limit: 50 },
      reply: {
        data: [
          {
            id: '3b241101-e2bb-4255-8caf-4136c566a962',
            history_id: '0e37df36-f698-41e6-a8f2-3f1f9d1a7a55',
            destination: 'webhook',
            ...{ channel_id: null, group_id: '3b241101-e2bb-4255-8caf-4136c566a962' },
            state: 'delivered',
            answer: '2xx',
            attempts: 1,
            created_at: '2026-01-15T10:44:00.000Z',
            finished_at: '2026-01-15T10:44:01.000Z',
          },
        ],
        pagination: page(1),
      },
    },
  }),
};
