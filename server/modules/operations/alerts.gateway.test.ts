/** Alerts and their destinations, over HTTP: each answer once, and nothing of another tenant. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayError } from '../../../shared/client.ts';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { hostileUrls, publicHost } from '../../fixtures/hostile-urls.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { standardPlans } from '../../limits/plan-table.ts';
import { systemClock } from '../../platform/clock.ts';

let cloud: TestCloud;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud();
  tenant = cloud.tenant;
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

const draft = (parts: object = {}) => ({ name: randomUUID(), metric: 'error_rate' as const, threshold: 5, time_window: 15, ...parts });
const rule = (parts: object = {}) => ({ metric: 'error_rate' as const, threshold: 5, time_window: 15, ...parts });
const onScore = {
  ...{ metric: 'evaluation_score' as const, threshold: 0.5, evaluation_name: 'tone' },
  ...{ evaluation_aggregation: 'avg' as const, evaluation_threshold_direction: 'below' as const },
};
const create = async (parts: object = {}) => (await tenant.client.alerts.create({ body: draft(parts) })).data;

const failureOf = (work: Promise<unknown>): Promise<GatewayError> =>
  work.then(
    () => expect.fail('It succeeded'),
    (error) => (error instanceof GatewayError ? error : expect.fail(String(error))),
  );
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const { status, code } = await failureOf(work);
  return `${status} ${code}`;
};

describe('an alert', () => {
  it('is created as resolved, with defaults for what is left out, and read back', async () => {
    const created = await create({ name: 'first' });
    expect(created).toMatchObject({
      ...{ tenant_id: tenant.tenant_id, app_id: tenant.app_id, status: 'resolved', environment_id: null, use_slack: false },
      ...{ use_webhook: false, evaluation_name: null, commit_sha: null, updated_at: null, updated_by: null },
    });
    expect(created.created_by).toMatch(/^api_key:/);
    expect((await tenant.client.alerts.get({ params: { alertId: created.id } })).data).toEqual(created);
  });

  it('is replaced as a whole, also by what was read, and keeps its status', async () => {
    const { id } = await create({ ...onScore, use_webhook: true, environment_id: tenant.environment_id });
    const { data: read } = await tenant.client.alerts.get({ params: { alertId: id } });
    const { data: same } = await tenant.owner.alerts.replace({ params: { alertId: id }, body: { ...read, name: 'renamed' } });
    expect(same).toMatchObject({ ...read, name: 'renamed', updated_at: expect.any(String), updated_by: tenant.user_id });
    const { data } = await tenant.client.alerts.replace({ params: { alertId: id }, body: draft() });
    expect(data).toMatchObject({ id, metric: 'error_rate', use_webhook: false, environment_id: null, evaluation_name: null });
  });

  it('is listed newest first, by page, status, metric and environment', async () => {
    const created = [await create({ metric: 'cost' }), await create({ metric: 'cost', environment_id: tenant.environment_id })];
    const ids = async (query: object) => (await tenant.client.alerts.list({ query })).data.map(({ id }) => id);
    expect(new Set(await ids({ metric: 'cost' }))).toEqual(new Set(created.map(({ id }) => id)));
    expect(await ids({ metric: 'cost', environment_id: tenant.environment_id })).toEqual([created[1]?.id]);
    expect(await ids({ status: 'triggered' })).toEqual([]);
    const { data, pagination } = await tenant.client.alerts.list({ query: { limit: 1, offset: 1 } });
    expect([data.length, pagination.limit, pagination.offset]).toEqual([1, 1, 1]);
    expect(pagination.total).toBe((await ids({})).length);
    const times = (await tenant.client.alerts.list({})).data.map(({ created_at }) => String(created_at));
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('is deleted with its history', async () => {
    const { id } = await create();
    const params = { alertId: id };
    expect((await tenant.client.alerts.history({ params })).data).toEqual([]);
    await tenant.client.alerts.remove({ params });
    for (const ask of ['get', 'history', 'remove'] as const)
      expect(await codeOf(tenant.client.alerts[ask]({ params })), ask).toBe('404 alert_not_found');
    expect(await codeOf(tenant.client.alerts.replace({ params, body: draft() }))).toBe('404 alert_not_found');
  });

  it('has a unique name in its app, and only there', async () => {
    const { name, id } = await create();
    const second = await create();
    expect(await codeOf(tenant.client.alerts.create({ body: draft({ name }) }))).toBe('409 duplicate_alert_name');
    expect(await codeOf(tenant.client.alerts.replace({ params: { alertId: second.id }, body: draft({ name }) }))).toBe(
      '409 duplicate_alert_name',
    );
    await tenant.client.alerts.replace({ params: { alertId: id }, body: draft({ name }) });
    await other.client.alerts.create({ body: draft({ name }) });
  });

  it.each<[object, string]>([
    [{ threshold: 101 }, 'threshold'],
    [{ metric: 'latency', threshold: 0.5 }, 'threshold'],
    [{ metric: 'evaluation_score', threshold: 0.5 }, 'evaluation_name'],
    [{ evaluation_name: 'tone' }, 'evaluation_name'],
    [{ environment_id: randomUUID() }, 'environment_id'],
  ])('with contradictory fields is refused, and the answer names the field: %j', async (parts, field) => {
    const { status, code, details, extras } = await failureOf(tenant.client.alerts.create({ body: draft(parts) as never }));
    expect([status, code, extras.field]).toEqual([400, 'invalid_request_body', field]);
    expect(details).toHaveProperty(field);
  });

  it('of another tenant is not found by any request', async () => {
    const params = { alertId: (await create()).id };
    for (const client of [other.client, other.owner]) {
      for (const ask of ['get', 'history', 'remove'] as const)
        expect(await codeOf(client.alerts[ask]({ params }))).toBe('404 alert_not_found');
      expect(await codeOf(client.alerts.replace({ params, body: draft() }))).toBe('404 alert_not_found');
      expect((await client.alerts.list({})).data.map(({ id }) => id)).not.toContain(params.alertId);
    }
    expect(await codeOf(other.owner.alertDestinations.deliveries({ params }))).toBe('404 alert_not_found');
    const { alertSeries, alertAttention } = other.owner;
    for (const ask of [
      () => alertSeries.series({ params }),
      () => alertAttention.mute({ params, body: { until: '2199-01-01T00:00:00Z' } }),
      ...[() => alertAttention.unmute({ params }), () => alertAttention.acknowledge({ params })],
    ])
      expect(await codeOf(ask())).toBe('404 alert_not_found');
    const theirs = draft({ environment_id: tenant.environment_id });
    expect(await codeOf(other.client.alerts.create({ body: theirs }))).toBe('400 invalid_request_body');
    await tenant.client.alerts.get({ params });
  });

  it('has a preview of what the evaluator would have done with the same traffic', async () => {
    const minute = 60_000;
    const nowMs = Date.now();
    // One failed call 3 hours ago among good ones, and a bad hour two days ago; each call ends within its minute.
    const at = (minutesAgo: number, status: 'OK' | 'ERROR') => aChat({ startMs: nowMs - minutesAgo * minute, durationMs: 1000, status });
    const spans = [
      at(180, 'ERROR'),
      at(181, 'OK'),
      at(182, 'OK'),
      ...[2880, 2890, 2900].map((ago) => at(ago, 'ERROR')),
      at(2800, 'OK'),
      at(20, 'OK'),
    ];
    const { data: theirs } = await other.client.alertSeries.preview({ body: rule({ threshold: 30 }) });
    await cloud.ingest(tenant, aRequest(spans));
    const { data: preview } = await tenant.client.alertSeries.preview({ body: rule({ threshold: 30 }) });
    expect(preview).toMatchObject({ triggered: 2, periods: [{ to: expect.any(Number) }, { to: expect.any(Number) }] });
    expect(preview.values.length).toBeLessThanOrEqual(200);
    expect([Math.max(...preview.values.map(Number)), preview.values.filter((value) => value !== null).length > 2]).toEqual([100, true]);
    expect(theirs).toMatchObject({ triggered: 0, values: expect.not.arrayContaining([expect.any(Number)]) });
    const { id } = await create({ threshold: 30 });
    const { data: series } = await tenant.client.alertSeries.series({ params: { alertId: id }, query: { hours: 168 } });
    expect([series.triggered, series.periods.length]).toEqual([preview.triggered, 2]);
    expect((await tenant.client.alertSeries.preview({ body: rule({ threshold: 34 }) })).data.triggered).toBe(2);
    const staging = rule({ threshold: 30, environment_id: tenant.environment_id });
    expect((await tenant.client.alertSeries.preview({ body: staging })).data.triggered).toBeLessThanOrEqual(2);
    expect((await failureOf(tenant.client.alertSeries.preview({ body: rule({ threshold: 101 }) }))).details).toHaveProperty('threshold');
    const unknown = rule({ environment_id: randomUUID() });
    expect((await failureOf(tenant.client.alertSeries.preview({ body: unknown }))).details).toHaveProperty('environment_id');
  });

  it('is muted until a time in the future, and unmuted; only a triggered one is acknowledged or muted until it resolves', async () => {
    const params = { alertId: (await create()).id };
    const { alertAttention } = tenant.owner;
    const { data: muted } = await alertAttention.mute({ params, body: { until: '2199-01-01T01:00:00+01:00' } });
    expect(muted).toMatchObject({ muted_until: '2199-01-01T00:00:00.000Z', muted_by: tenant.user_id, is_silenced: false });
    expect((await tenant.client.alerts.get({ params })).data).toEqual(muted);
    expect((await alertAttention.unmute({ params })).data).toMatchObject({ muted_until: null, muted_by: null });
    expect((await failureOf(alertAttention.mute({ params, body: { until: '2020-01-01T00:00:00Z' } }))).details).toHaveProperty('until');
    expect(await codeOf(alertAttention.mute({ params, body: { until: 'resolved' } }))).toBe('409 alert_not_triggered');
    expect(await codeOf(alertAttention.acknowledge({ params }))).toBe('409 alert_not_triggered');
  });

  it('needs the permission', async () => {
    const { data } = await tenant.owner.apiKeys.create({ body: { name: 'reader', permissions: ['alert.read'] } });
    const reader = cloud.as(data.plaintext_key, tenant.app_id);
    await reader.alerts.list({});
    expect(await codeOf(reader.alerts.create({ body: draft() }))).toBe('403 forbidden');
    await reader.alertSeries.preview({ body: rule() });
    expect(await codeOf(reader.alertAttention.unmute({ params: { alertId: randomUUID() } }))).toBe('403 forbidden');
    expect(await codeOf(cloud.as(null, tenant.app_id).alerts.list({}))).toBe('401 unauthorized');
  });
});

describe('the webhook of an environment', () => {
  const params = () => ({ environmentId: tenant.environment_id });
  const put = async (url: string, secret?: string) =>
    (await tenant.owner.alertDestinations.putWebhook({ params: params(), body: { url, ...(secret ? { secret } : {}) } })).data;
  const secret = 'a secret of sixteen and more';
  const url = `https://${publicHost}/alerts`;

  it('is set, shown without its secret, and deleted', async () => {
    expect((await tenant.owner.alertDestinations.webhook({ params: params() })).data).toBeNull();
    const saved = await put(url, secret);
    expect(saved).toMatchObject({
      environment_id: tenant.environment_id,
      url,
      has_secret: true,
      previous_secret_until: null,
      updated_by: tenant.user_id,
    });
    const read = await tenant.owner.alertDestinations.webhook({ params: params() });
    expect(read.data).toEqual(saved);
    expect(JSON.stringify(read)).not.toContain(secret);
    await tenant.owner.alertDestinations.removeWebhook({ params: params() });
    expect((await tenant.owner.alertDestinations.webhook({ params: params() })).data).toBeNull();
    expect((await tenant.owner.alertDestinations.testWebhook({ params: params() })).data).toEqual({
      state: 'skipped',
      answer: 'no webhook',
    });
  });

  it('keeps its secret on its own host, and loses it with another host, port or scheme', async () => {
    for (const next of [`https://other.${publicHost}/alerts`, `https://${publicHost}:8443/alerts`]) {
      await put(url, secret);
      expect((await put(`${url}/elsewhere`)).has_secret).toBe(true);
      expect((await put(url, `${secret} anew`)).previous_secret_until).not.toBeNull();
      expect(await put(next)).toMatchObject({ url: next, has_secret: false, previous_secret_until: null });
      expect((await tenant.owner.alertDestinations.testWebhook({ params: params() })).data).toEqual({
        state: 'skipped',
        answer: 'no secret',
      });
      expect((await put(url)).has_secret).toBe(false);
    }
  });

  it('cannot be an internal address, however it is written', async () => {
    for (const hostile of hostileUrls.filter((_, index) => index % 12 === 0)) {
      const { status, details } = await failureOf(put(hostile, secret));
      expect([status, Object.keys(details)], hostile).toEqual([400, ['url']]);
    }
  });

  it('is of one tenant, and set by people only', async () => {
    const theirs = other.owner.alertDestinations;
    for (const ask of ['webhook', 'removeWebhook', 'testWebhook'] as const)
      expect(await codeOf(theirs[ask]({ params: params() })), ask).toBe('404 environment_not_found');
    expect(await codeOf(theirs.putWebhook({ params: params(), body: { url } }))).toBe('404 environment_not_found');
    expect(await codeOf(tenant.client.alertDestinations.putWebhook({ params: params(), body: { url } }))).toBe('403 forbidden');
  });
});

describe('a channel', () => {
  const key = '0123456789abcdef0123456789abcdef';
  const add = async (parts: object = {}) =>
    (await tenant.owner.alertChannels.create({ body: { kind: 'pagerduty', name: randomUUID(), address: key, ...parts } })).data;

  it('is added, named by an alert, changed and deleted, and its address is never shown', async () => {
    const webhook = { kind: 'webhook', address: `https://${publicHost}/a-token-in-it`, secret: 'a secret of sixteen and more' } as const;
    const made = [await add(webhook), await add()];
    expect(made).toMatchObject([{ shown: publicHost, created_by: tenant.user_id }, { shown: '' }]);
    const list = await tenant.owner.alertChannels.list({});
    expect(list.data).toMatchObject({ channels: expect.arrayContaining(made), kinds: ['webhook', 'slack', 'teams', 'pagerduty'] });
    for (const hidden of [key, 'a-token-in-it', webhook.secret]) expect(JSON.stringify(list)).not.toContain(hidden);
    const channelId = made[1]?.id ?? '';
    const alert = await create({ channel_ids: [channelId], owner_id: tenant.user_id });
    expect(alert).toMatchObject({ channel_ids: [channelId], owner_id: tenant.user_id });
    const owned = (await tenant.client.alerts.list({ query: { owner_id: tenant.user_id } })).data;
    expect(owned.map(({ id }) => id)).toEqual([alert.id]);
    const params = { channelId };
    expect((await tenant.owner.alertChannels.change({ params, body: { name: 'pages' } })).data).toMatchObject({ name: 'pages' });
    expect(await codeOf(add({ name: 'pages' }))).toBe('409 duplicate_alert_channel_name');
    await tenant.owner.alertChannels.remove({ params });
    expect((await tenant.client.alerts.get({ params: { alertId: alert.id } })).data.channel_ids).toEqual([]);
    expect(await codeOf(tenant.owner.alertChannels.remove({ params }))).toBe('404 alert_channel_not_found');
  });

  it('or an owner that an alert has may stay in it when they are gone, and not come into another', async () => {
    const { owner } = tenant;
    const member = await addMember(cloud, tenant, 'leaves@acme.test', 'read');
    const alert = await create({ owner_id: member.user_id });
    await owner.members.remove({ params: { userId: member.user_id } });
    const changed = draft({ threshold: 7, owner_id: member.user_id });
    const { data } = await owner.alerts.replace({ params: { alertId: alert.id }, body: changed });
    expect(data).toMatchObject({ threshold: 7, owner_id: member.user_id });
    const params = { alertId: (await create()).id };
    const into = owner.alerts.replace({ params, body: draft({ owner_id: member.user_id }) });
    expect(Object.keys((await failureOf(into)).details)).toEqual(['owner_id']);
    const unknown = owner.alerts.replace({ params, body: draft({ channel_ids: [randomUUID()] }) });
    expect(Object.keys((await failureOf(unknown)).details)).toEqual(['channel_ids']);
  });

  it.each<[object, string]>([
    [{ address: 'short' }, 'address'],
    [{ kind: 'teams', address: 'https://10.0.0.1/' }, 'address'],
    [{ kind: 'webhook', address: `https://${publicHost}/` }, 'secret'],
    [{ secret: 'a secret of sixteen and more' }, 'secret'],
    [{ kind: 'email', address: 'a@acme.test' }, 'kind'],
  ])('that cannot be used is refused, and the answer names the field: %j', async (parts, field) => {
    expect(Object.keys((await failureOf(add(parts))).details)).toEqual([field]);
  });

  it('is of one app, and set by people only', async () => {
    const params = { channelId: (await add()).id };
    const theirs = other.owner.alertChannels;
    expect((await theirs.list({})).data.channels).toEqual([]);
    for (const ask of [
      () => theirs.change({ params, body: { name: 'x' } }),
      () => theirs.remove({ params }),
      () => theirs.test({ params }),
    ])
      expect(await codeOf(ask())).toBe('404 alert_channel_not_found');
    const naming = other.client.alerts.create({ body: draft({ channel_ids: [params.channelId] }) });
    expect(Object.keys((await failureOf(naming)).details)).toEqual(['channel_ids']);
    const owned = other.client.alerts.create({ body: draft({ owner_id: tenant.user_id }) });
    expect(Object.keys((await failureOf(owned)).details)).toEqual(['owner_id']);
    expect(await codeOf(tenant.client.alertChannels.list({}))).toBe('403 forbidden');
  });
});

describe('the connection to Slack', () => {
  it('is set with a token that is never shown again, changed without it, and deleted', async () => {
    const { alertDestinations } = tenant.owner;
    expect((await alertDestinations.slack({})).data).toBeNull();
    expect((await tenant.client.alerts.slackChannels({})).data).toEqual([]);
    expect((await failureOf(alertDestinations.putSlack({ body: { channel_id: 'C012345' } }))).details).toHaveProperty('token');
    for (const token of ['xoxb-of\na-test', 'xoxb-of\u0000a-test', 'xoxb of a test', 'xoxb-öf-a-test'])
      expect((await failureOf(alertDestinations.putSlack({ body: { token } }))).details, token).toHaveProperty('token');
    await alertDestinations.putSlack({ body: { token: 'xoxb-of-a-test' } });
    expect((await alertDestinations.testSlack({})).data).toEqual({ state: 'skipped', answer: 'no channel' });
    await alertDestinations.putSlack({ body: { channel_id: 'C012345' } });
    const read = await alertDestinations.slack({});
    expect(read.data).toMatchObject({ channel_id: 'C012345' });
    expect(JSON.stringify(read)).not.toContain('xoxb');
    expect((await other.owner.alertDestinations.slack({})).data).toBeNull();
    await alertDestinations.removeSlack({});
    expect((await alertDestinations.slack({})).data).toBeNull();
    expect((await alertDestinations.testSlack({})).data.state).toBe('skipped');
  });
});

it('a plan without alerts refuses all of it', async () => {
  const withoutAlerts = await startTestCloud({
    planTable: { ...standardPlans, enterprise: { ...standardPlans.enterprise, alerts_enabled: false } },
  });
  try {
    const { client, owner, environment_id } = withoutAlerts.tenant;
    const refusal = await failureOf(client.alerts.list({}));
    expect([refusal.status, refusal.code]).toEqual([402, 'entitlement_required']);
    expect(refusal.extras).toMatchObject({ entitlement: 'alerts_enabled' });
    const params = { alertId: randomUUID() };
    for (const ask of ['get', 'history', 'remove'] as const)
      expect(await codeOf(client.alerts[ask]({ params }))).toBe('402 entitlement_required');
    for (const body of [draft()]) {
      expect(await codeOf(client.alerts.create({ body }))).toBe('402 entitlement_required');
      expect(await codeOf(client.alerts.replace({ params, body }))).toBe('402 entitlement_required');
    }
    expect(await codeOf(client.alerts.slackChannels({}))).toBe('402 entitlement_required');
    expect(await codeOf(owner.alertDestinations.slack({}))).toBe('402 entitlement_required');
    expect(await codeOf(owner.alertDestinations.webhook({ params: { environmentId: environment_id } }))).toBe('402 entitlement_required');
  } finally {
    await withoutAlerts.stop();
  }
});

it('secrets are not stored in plain text', async () => {
  const secret = 'a secret that a thief looks for';
  const params = { environmentId: tenant.environment_id };
  await tenant.owner.alertDestinations.putWebhook({ params, body: { url: `https://${publicHost}/`, secret } });
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const stored = await control.alertDestinations.findWebhook({ tenant_id: tenant.tenant_id, app_id: tenant.app_id }, tenant.environment_id);
  await control.stop();
  expect(stored?.sealed_secret).toBeTypeOf('string');
  expect(JSON.stringify(stored)).not.toContain(secret);
});
