/** Alerts and their destinations. */
import type { Trigger } from '../../trigger.ts';
import { deleted, missing, smallPlan } from './records.ts';

const draft = { name: 'sample', metric: 'cost', threshold: 1, time_window: 5 };
const create = { call: 'POST /v1/alerts', body: draft } as const;
const one = '/v1/alerts/{alertId}' as const;
const replace = { call: `PUT ${one}`, body: { ...draft, name: 'replaced' } } as const;
const remove = `DELETE ${one}` as const;
const webhook = '/v1/alert-destinations/webhooks/{environmentId}' as const;
const slack = '/v1/alert-destinations/slack' as const;
/** Its name is never resolved, because the test request comes before it is saved. */
const putWebhook = { call: `PUT ${webhook}`, body: { url: 'https://hooks.example.com/sample' } } as const;
const putSlack = { call: `PUT ${slack}`, body: { token: 'xoxb-of-the-sample', channel_id: 'C0123456789' } } as const;

const ofAlert = [
  ...[{ call: `GET ${one}` } as const, { call: `GET ${one}/history` } as const, { call: `GET ${one}/deliveries` } as const],
  ...[{ call: `GET ${one}/series` } as const, { call: `DELETE ${one}/mute` } as const],
];
const { name: _, ...rule } = draft;
const preview = { call: 'POST /v1/alerts/preview', body: rule } as const;
const mute = { call: `PUT ${one}/mute`, body: { until: '2199-01-01T00:00:00Z' } } as const;
const acknowledge = { call: `PUT ${one}/acknowledgement` } as const;
const ofWebhook = [{ call: `GET ${webhook}` } as const, { call: `POST ${webhook}/test` } as const];
const removeWebhook = { call: `DELETE ${webhook}` } as const;
const ofSlack = [{ call: `GET ${slack}` } as const, { call: `POST ${slack}/test` } as const];
const removeSlack = { call: `DELETE ${slack}` } as const;
const channel = '/v1/alert-channels/{channelId}' as const;
/** Another name in each run of the calls, and a host that is never asked. */
const draftOfChannel = { kind: 'slack', name: 'sample', address: 'https://hooks.example.com/sample' };
const createChannel = { call: 'POST /v1/alert-channels', body: draftOfChannel } as const;
const changeChannel = { call: `PUT ${channel}`, body: { name: 'renamed' } } as const;
const removeChannel = `DELETE ${channel}` as const;
const ofChannel = [{ call: `POST ${channel}/test` } as const];
const listChannels = { call: 'GET /v1/alert-channels' } as const;
const lists = [{ call: 'GET /v1/alerts' } as const, { call: 'GET /v1/alerts/slack-channels' } as const];

const everything = [
  ...lists,
  create,
  ...ofAlert,
  replace,
  ...[preview, mute, acknowledge],
  { call: remove } as const,
  ...[listChannels, createChannel, changeChannel, { call: removeChannel } as const],
  ...ofChannel,
  ...ofWebhook,
  putWebhook,
  removeWebhook,
  ...ofSlack,
  putSlack,
  removeSlack,
];

export const alerts: Trigger[] = [
  ...everything.map((each): Trigger => ({ ...each, at: smallPlan, status: 402, code: 'entitlement_required' })),
  ...[...lists, preview, mute, listChannels, ...ofAlert, ...ofChannel, ...ofWebhook, ...ofSlack].map(
    (each): Trigger => ({ ...each, status: 200 }),
  ),
  ...[...ofAlert, mute, acknowledge, replace].map((each) => missing(each, 'alertId', 'alert_not_found')),
  ...[...ofWebhook, putWebhook, removeWebhook].map((each) => missing(each, 'environmentId', 'environment_not_found')),
  { ...acknowledge, params: { alertId: '{triggeredAlertId}' }, status: 200 },
  { ...acknowledge, status: 409, code: 'alert_not_triggered' },
  { ...mute, body: { until: 'resolved' }, status: 409, code: 'alert_not_triggered' },
  { ...create, status: 201 },
  { ...create, status: 409, code: 'duplicate_alert_name' },
  { ...replace, status: 200 },
  { ...replace, body: draft, status: 409, code: 'duplicate_alert_name' },
  ...deleted(remove, { alertId: '{deletableAlertId}' }, 'alert_not_found'),
  { ...createChannel, status: 201 },
  { ...createChannel, status: 409, code: 'duplicate_alert_channel_name' },
  { ...changeChannel, status: 200 },
  { ...changeChannel, body: { name: 'sample' }, status: 409, code: 'duplicate_alert_channel_name' },
  ...[changeChannel, ...ofChannel].map((each) => missing(each, 'channelId', 'alert_channel_not_found')),
  ...deleted(removeChannel, { channelId: '{deletableChannelId}' }, 'alert_channel_not_found'),
  { ...putWebhook, status: 200 },
  { ...removeWebhook, status: 204, type: '' },
  { ...putSlack, status: 200 },
  { ...removeSlack, status: 204, type: '' },
];
