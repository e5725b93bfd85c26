import { alertDestinations } from '../../../shared/contract/operations/alert-destinations.ts';
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
  ...evaluation,
  commit_sha: null,
  created_at: '2026-01-15T09:00:00.000Z',
  created_by: ids.person,
  ...changeFields,
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
const path = { alertId: ids.alert };
const environmentParams = { environmentId: ids.production };

export const alertNotes = {
  ...notesOn(alerts, {
    list: {
      description: 'The alerts of the app, newest first, and whether each is triggered.',
      query: { status: 'triggered' },
      reply: { data: [{ ...alert, status: 'triggered' }], pagination: page(1) },
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
