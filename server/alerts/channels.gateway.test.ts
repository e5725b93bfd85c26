/** Channels and owners of alerts: who is told, once, whatever happens to the others. Real stores, real receivers, a clock controlled by the test. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AlertChannelKind } from '../../shared/contract/operations/alert-channels.ts';
import { aChat, testEpochMs } from '../../shared/fixtures/otlp.ts';
import type { Alert } from '../control/alert-store.ts';
import { type AlertStand, alertStand, owner, type Receiver, startReceiver } from '../fixtures/alert-stand.ts';
import { type Mail, type Mailer, MailFailure } from '../mail/mailer.ts';
import { must } from '../platform/assert.ts';
import type { ChannelProblem } from './channels.ts';

const minuteMs = 60_000;
const secret = 'a secret of sixteen and more';
const key = '0123456789abcdef0123456789abcdef';
let receiver: Receiver;
let stand: AlertStand;
const mails: (Mail & { to: readonly string[] })[] = [];
/** Ids of all that were tried, by address. */
const tried: string[] = [];
const refusedMail = { address: '', isTemporary: false };

/** Keeps what it is sent. The real one has its own tests. */
const mailer: Mailer = {
  baseUrl: 'https://glasshouse.test',
  send: async (to, mail) => {
    tried.push(`${to.join()} ${mail.id}`);
    if (to[0] === refusedMail.address) throw new MailFailure('refused', refusedMail.isTemporary);
    mails.push({ to, ...mail });
  },
};

beforeAll(async () => {
  receiver = await startReceiver();
  const pagerDutyApi = `${receiver.origin}/pagerduty`;
  stand = await alertStand({ startMs: testEpochMs, trusted: [receiver.origin], pagerDutyApi, mailer });
  for (const email of ['oncall@acme.test', 'a@acme.test', 'b@acme.test', 'left@acme.test']) await join(email);
});
afterAll(async () => {
  await stand.stop();
  await receiver.stop();
});
beforeEach(async () => {
  const { data } = await stand.control.alerts.list(stand.scope, { limit: 100, offset: 0 });
  for (const { id } of data) await stand.control.alerts.remove(owner, stand.scope, id);
  for (const { id } of await stand.channels.list(stand.scope)) await stand.channels.remove(owner, stand.scope, id);
  stand.clock.ms += 24 * 60 * minuteMs;
  receiver.received.length = 0;
  receiver.answer = () => ({});
  mails.length = 0;
  tried.length = 0;
  refusedMail.address = '';
});

const add = async (kind: AlertChannelKind, address: string, name = address): Promise<string> =>
  (await stand.channels.create(owner, stand.scope, kind, { name, address, ...(kind === 'webhook' && { secret }) })).id;
/** Makes a member of the team. */
async function join(email: string): Promise<string> {
  const { id } = await stand.control.users.ensure(owner, { email, name: null, password_hash: null });
  await stand.control.tenants.setMember(owner, stand.scope.tenant_id, id, 'read');
  return id;
}
const test = async (id: string) => stand.channels.test(stand.scope, must(await stand.channels.find(stand.scope, id), 'it was added'));
const at = (path: string) => `${receiver.origin}/${path}`;
const bodies = (path: string) => receiver.received.filter((each) => each.path === `/${path}`).map(({ body }) => JSON.parse(body));
const change = (status: 'OK' | 'ERROR') => stand.app.write([aChat({ startMs: stand.clock.ms - 100, durationMs: 100, status })]);
const failing = async () => {
  await change('ERROR');
  await stand.minute();
};
const recovering = async () => {
  stand.clock.ms += 5 * minuteMs;
  await change('OK');
  await stand.minute();
};
const create = (channel_ids: string[], parts = {}) => stand.create({ use_webhook: false, channel_ids, ...parts });
const states = async ({ id }: Alert) => {
  const { data } = await stand.control.alertWatch.deliveries(stand.scope, id, { limit: 1000, offset: 0 });
  return data.map(({ destination, state, attempts }) => `${destination} ${state} ${attempts}`).sort();
};

it('each channel of an alert is told of a trigger and of the recovery, in its own form', async () => {
  const member = must(await stand.control.tenants.findMember(stand.scope.tenant_id, stand.made.user_id), 'it was made');
  const channels = [
    await add('webhook', at('one')),
    await add('webhook', at('two')),
    await add('slack', at('slack')),
    await add('teams', at('teams')),
    await add('pagerduty', key, 'pages'),
    await add('email', 'oncall@acme.test'),
  ];
  const alert = await create(channels, { name: 'errors', owner_id: member.id });
  await failing();
  await stand.control.alerts.acknowledge(owner, stand.scope, alert.id, await stand.channels.noticesOfAcknowledgement(alert));
  await stand.dispatcher.deliver(await stand.claim());
  await recovering();
  const { body, headers } = must(
    receiver.received.find(({ path }) => path === '/two'),
    'nothing received',
  );
  expect(headers['x-service-signature-256']).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  for (const path of ['one', 'two']) expect(bodies(path).map(({ event }) => event.data.alert.status)).toEqual(['triggered', 'resolved']);
  expect(bodies('slack').map(({ blocks }) => blocks[0].text.text.split(' in ')[0])).toEqual([
    'Alert "errors" triggered',
    'Alert "errors" resolved',
  ]);
  expect(bodies('teams').map(({ attachments }) => attachments[0].content.body[0].inlines[0].text.split(' in ')[0])).toEqual([
    'Alert "errors" triggered',
    'Alert "errors" resolved',
  ]);
  expect(bodies('pagerduty').map(({ event_action, dedup_key, routing_key }) => [event_action, dedup_key, routing_key])).toEqual(
    ['trigger', 'acknowledge', 'resolve'].map((action) => [action, `glasshouse-alert-${alert.id}`, key]),
  );
  const told = mails.map(({ to, subject }) => `${to.join()} ${subject.split(' in ')[0]}`);
  expect(told.sort()).toEqual(
    ['oncall@acme.test', member.email].flatMap((to) => [`${to} Alert "errors" resolved`, `${to} Alert "errors" triggered`]).sort(),
  );
});

it('a channel that fails is tried again alone: the others are told once', async () => {
  const channels = [
    await add('slack', at('broken')),
    await add('teams', at('teams')),
    await add('email', 'a@acme.test'),
    await add('email', 'b@acme.test'),
  ];
  Object.assign(refusedMail, { address: 'a@acme.test', isTemporary: true });
  let refusals = 2;
  receiver.answer = ({ path }) => (path === '/broken' && refusals-- > 0 ? { status: 503 } : {});
  const alert = await create(channels);
  await failing();
  expect(await states(alert)).toEqual(['email delivered 1', 'email waiting 1', 'slack waiting 1', 'teams delivered 1']);
  refusedMail.address = '';
  for (let minute = 0; minute < 3; minute++) await stand.minute();
  expect(await states(alert)).toEqual(['email delivered 1', 'email delivered 2', 'slack delivered 3', 'teams delivered 1']);
  expect([bodies('broken').length, bodies('teams').length, mails.map(({ to }) => to.join()).sort()]).toEqual([
    3,
    1,
    ['a@acme.test', 'b@acme.test'],
  ]);
  // Of the one that was tried again both have one id, and those of two receivers differ.
  expect([tried.length, new Set(tried).size]).toEqual([3, 2]);
  const [first, ...again] = receiver.received.filter(({ path }) => path === '/broken').map(({ body }) => body);
  expect(again).toEqual([first, first]);
});

it('an incident is not resolved before the trigger has arrived', async () => {
  receiver.answer = () => ({ status: 429 });
  const alert = await create([await add('pagerduty', key, 'pages')]);
  await failing();
  await recovering();
  expect(bodies('pagerduty').map(({ event_action }) => event_action)).toEqual(['trigger', 'trigger']);
  receiver.answer = () => ({ status: 202 });
  for (let minute = 0; minute < 3; minute++) await stand.minute();
  expect(bodies('pagerduty').map(({ event_action }) => event_action)).toEqual(['trigger', 'trigger', 'trigger', 'resolve']);
  expect(await states(alert)).toEqual(['pagerduty delivered 1', 'pagerduty delivered 3']);
});

it('an alert tells nobody through a channel that was deleted, and no owner who has left', async () => {
  const channel = await add('slack', at('slack'));
  const alert = await create([channel], { owner_id: stand.scope.app_id });
  await change('ERROR');
  stand.clock.ms += minuteMs;
  await stand.evaluator.evaluate(await stand.claim());
  await stand.channels.remove(owner, stand.scope, channel);
  await stand.dispatcher.deliver(await stand.claim());
  expect([await states(alert), receiver.received, mails]).toEqual([['owner skipped 1', 'slack skipped 1'], [], []]);
  expect((await stand.control.alerts.find(stand.scope, alert.id))?.channel_ids).toEqual([]);
});

it.each<[AlertChannelKind, string, ChannelProblem['field']]>([
  ['teams', 'https://127.0.0.1/x', 'address'],
  ['slack', 'http://hooks.slack.com/services/x', 'address'],
  ['pagerduty', 'short', 'address'],
  ['email', 'a@b.test, c@d.test', 'address'],
  ['email', 'stranger@elsewhere.test', 'address'],
])('a channel of kind %s cannot be %s', async (kind, address, field) => {
  await expect(stand.channels.create(owner, stand.scope, kind, { name: 'x', address })).rejects.toMatchObject({ field });
  expect(await stand.channels.list(stand.scope)).toEqual([]);
});

it('a recovery is told to those who were told of the trigger, whoever is to be told since then', async () => {
  const [first, second] = [await add('slack', at('first')), await add('slack', at('second'))];
  const alert = await create([first]);
  await failing();
  const current = must(await stand.control.alerts.find(stand.scope, alert.id), 'it was created');
  await stand.control.alerts.replace(owner, stand.scope, alert.id, { ...current, channel_ids: [second], use_webhook: true });
  await recovering();
  expect([bodies('first').length, bodies('second').length, await states(alert)]).toEqual([
    2,
    0,
    ['slack delivered 1', 'slack delivered 1'],
  ]);
});

it('an acknowledgement of a muted alert reaches PagerDuty after the trigger, when the mute ends', async () => {
  const alert = await create([await add('pagerduty', key, 'pages')]);
  await stand.control.alerts.mute(owner, stand.scope, alert.id, new Date(stand.clock.ms + 2.5 * minuteMs).toISOString());
  await failing();
  await stand.control.alerts.acknowledge(owner, stand.scope, alert.id, await stand.channels.noticesOfAcknowledgement(alert));
  await failing();
  expect(bodies('pagerduty')).toEqual([]);
  for (let minute = 0; minute < 2; minute++) await failing();
  expect(bodies('pagerduty').map(({ event_action }) => event_action)).toEqual(['trigger', 'acknowledge']);
});

it('a receiver that hangs holds up nobody else', async () => {
  const hung = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  receiver.answer = async ({ path }) => {
    if (path !== '/hangs') return {};
    asked.resolve();
    await hung.promise;
    return {};
  };
  const alert = await create([await add('slack', at('hangs')), await add('slack', at('well'))]);
  const impatient = stand.dispatcherWith({ patienceMs: 0 });
  await change('ERROR');
  stand.clock.ms += minuteMs;
  await stand.evaluator.evaluate(await stand.claim());
  const claim = await stand.claim();
  await impatient.deliver(claim);
  await asked.promise;
  const other = await create([await add('slack', at('later'))]);
  await stand.evaluator.evaluate(claim);
  while (!(await states(other)).includes('slack delivered 1')) await impatient.deliver(claim);
  expect((await states(alert)).toSorted()).toContain('slack waiting 0');
  hung.resolve();
  await impatient.settled();
  expect([await states(alert), bodies('hangs').length]).toEqual([['slack delivered 1', 'slack delivered 1'], 1]);
});

it('an e-mail goes to nobody who is not, or no longer, of the team', async () => {
  const id = await add('email', 'LEFT@acme.test');
  const elsewhere = { name: 'x', address: 'stranger@elsewhere.test' };
  await expect(stand.channels.change(owner, stand.scope, id, elsewhere)).rejects.toMatchObject({ field: 'address' });
  expect(await test(id)).toEqual({ state: 'delivered', answer: null });
  await stand.control.tenants.removeMember(owner, stand.scope.tenant_id, await join('left@acme.test'), 'read');
  const alert = await create([id]);
  await failing();
  expect([await states(alert), await test(id), mails.length]).toEqual([
    ['email skipped 1'],
    { state: 'skipped', answer: 'not a member' },
    1,
  ]);
});

it('the secret of a webhook is kept on its host and not sent to another', async () => {
  const id = await add('webhook', at('one'));
  const elsewhere = { name: 'x', address: 'https://hooks.glasshouse.dev/x' };
  await expect(stand.channels.change(owner, stand.scope, id, elsewhere)).rejects.toMatchObject({ field: 'secret' });
  expect(await stand.channels.change(owner, stand.scope, id, { name: 'x', address: at('two') })).toMatchObject({ name: 'x' });
  expect(await test(id)).toEqual({ state: 'delivered', answer: '2xx' });
  expect(bodies('two')).toHaveLength(1);
});

it('a test reaches each kind, and opens and resolves an incident', async () => {
  for (const [kind, address] of [
    ['slack', at('slack')],
    ['teams', at('teams')],
    ['pagerduty', key],
    ['email', 'a@acme.test'],
  ] as const) {
    const id = await add(kind, address);
    expect((await test(id)).state, kind).toBe('delivered');
  }
  expect(bodies('pagerduty').map(({ event_action }) => event_action)).toEqual(['trigger', 'resolve']);
  expect([bodies('slack').length, bodies('teams').length, mails[0]?.subject]).toEqual([1, 1, 'A test of Glasshouse alerts']);
});

it('a test that leaves its incident open did not go well', async () => {
  receiver.answer = ({ body }) => ({ status: JSON.parse(body).event_action === 'resolve' ? 400 : 202 });
  expect(await test(await add('pagerduty', key))).toEqual({ state: 'failed', answer: '4xx' });
});
