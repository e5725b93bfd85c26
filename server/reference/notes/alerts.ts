import { alertDestinations } from '../../../shared/contract/operations/alert-destinations.ts';
import { alerts } from '../../../shared/contract/operations/alerts.ts';
import { notesOn } from '../note.ts';
import { ids, page } from './samples.ts';

const evaluation = { evaluation_name: null, evaluation_aggregation: null, evaluation_threshold_direction: null };
const changed = { updated_at: '2026-01-15T09:00:00.000Z', updated_by: ids.person };

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
  ...changed,
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
  ...changed,
};

const slack = { channel_id: 'C0123456789', ...changed };
const path = { alertId: ids.alert };
const ofEnvironment = { environmentId: ids.production };

export const alertNotes = {
  ...notesOn(alerts, {
    list: {
      description: 'The alerts of the app and whether each is triggered, the newest first.',
      query: { status: 'triggered' },
      reply: { data: [{ ...alert, status: 'triggered' }], pagination: page(1) },
    },
    create: {
      description:
        'Watches a metric of one environment, or of the whole app. Every minute the last `time_window` minutes are looked at: the alert ' +
        'triggers when the value is above the threshold and resolves when it no longer is; only these changes are told. An alert on scores ' +
        '(`evaluation_score`) needs all three `evaluation_` properties, the others must not have them.',
      body: draft,
      reply: { data: alert },
    },
    slackChannels: {
      description: 'The channels that the Slack connection of the app reaches. Empty where Slack is not connected.',
      reply: { data: [{ id: 'C0123456789', name: 'support-bot', is_archived: false }] },
    },
    get: { description: 'One alert: what it watches, where it is told, and whether it is triggered.', path, reply: { data: alert } },
    replace: {
      description:
        'Replaces an alert as a whole: a property that is left out takes its default, so send everything that was read. Properties that only ' +
        'the gateway sets are ignored.',
      path,
      body: { ...draft, threshold: 10 },
      reply: { data: { ...alert, threshold: 10 } },
    },
    remove: { description: 'Deletes an alert with its history. It is told nowhere any more.', path },
    history: {
      description: 'When an alert triggered and resolved, the newest first, with the value that did it.',
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
      description: 'Where the alerts of an environment are posted. `data` is null where nothing is set. The secret is never shown again.',
      path: ofEnvironment,
      reply: { data: webhook },
    },
    putWebhook: {
      description:
        'Sets where the alerts of an environment are posted, and the secret that signs them: the header `X-Service-Signature-256` is ' +
        '`sha256=` and the HMAC of the body. A replaced secret signs beside the new one for a while. The secret stays when it is left out, ' +
        'unless the host is another one.',
      path: ofEnvironment,
      body: { url: webhook.url, secret: 'at least sixteen characters' },
      reply: { data: webhook },
    },
    removeWebhook: {
      description: 'Forgets the address and the secret. The alerts of the environment are posted nowhere.',
      path: ofEnvironment,
    },
    testWebhook: {
      description: 'Posts a test notification to the address that is saved, signed as real ones are, and answers what became of it.',
      path: ofEnvironment,
      reply: { data: { state: 'delivered', answer: '2xx' } },
    },
    slack: {
      description:
        'Which Slack channel the alerts of the app go to. `data` is null where Slack is not connected. The token is never shown.',
      reply: { data: slack },
    },
    putSlack: {
      description: 'Connects Slack by the token of a bot, or chooses another channel with the token that is saved.',
      body: { token: 'xoxb-the-token-of-a-bot', channel_id: 'C0123456789' },
      reply: { data: slack },
    },
    removeSlack: { description: 'Forgets the token and the channel. The alerts of the app are not told in Slack.' },
    testSlack: {
      description: 'Posts a test message to the channel that is saved and answers what became of it.',
      reply: { data: { state: 'delivered', answer: '2xx' } },
    },
    deliveries: {
      description: 'What became of each notification of an alert, the newest first: delivered, given up, or waiting to be tried again.',
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
