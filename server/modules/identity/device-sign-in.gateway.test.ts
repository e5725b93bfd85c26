/** Device sign-in over HTTP: a person approves a key for a machine, once, for one app and environment, and only with the permission to. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/client.ts';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { aDevice, type DeviceProgress } from '../../fixtures/a-device.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';

let now = Date.now();
const clock = testClock(() => now);
const environment_name = 'dev';
let cloud: TestCloud;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud({ clock });
  tenant = cloud.tenant;
  other = await cloud.addTenant('other');
});
beforeEach(() => {
  // Attempts are limited by the minute.
  now += 60_000;
});
afterAll(() => cloud.stop());

type Linked = Extract<DeviceProgress, { status: 'linked' }>;

const notFound = '404 device_sign_in_not_found';
const find = (approver: Client, user_code: string) => approver.deviceSignIn.find({ body: { user_code } });
const approve = (approver: Client, user_code: string, name = environment_name) =>
  approver.deviceSignIn.approve({ body: { user_code, environment_name: name } });
const deny = (approver: Client, user_code: string) => approver.deviceSignIn.deny({ body: { user_code } });

async function linkDevice(approver: TestTenant, name?: string): Promise<Linked> {
  const device = await aDevice(cloud, name);
  await approve(approver.owner, device.user_code);
  const progress = await device.ask();
  if (progress.status !== 'linked') throw new Error(`it is ${progress.status}`);
  return progress;
}

const keyNames = async ({ owner }: TestTenant) => (await owner.apiKeys.list({ query: { limit: 1000 } })).data.map(({ name }) => name);

async function auditOf({ tenant_id }: TestTenant) {
  const control = openSqliteControl(cloud.dataDir, clock);
  const { data } = await control.audit.list(tenant_id, { limit: 1000, offset: 0 });
  await control.stop();
  return data;
}

describe('the whole flow', () => {
  it('a person sees the machine and approves it, and its key writes to one environment of the app and reads nothing', async () => {
    const { owner, app_id, user_id } = tenant;
    await owner.environments.create({ body: { name: 'staging' } });
    const device = await aDevice(cloud, 'the laptop');
    expect(device).toMatchObject({ expires_in: 600, interval: 5, verification_uri: expect.stringMatching(/\/#\/link$/) });
    expect(device.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(device.verification_uri_complete).toBe(`${device.verification_uri}?code=${device.user_code}`);
    expect(await device.ask()).toEqual({ status: 'pending', interval: 5 });
    // As people type it.
    const { data } = await find(owner, ` ${device.user_code.toLowerCase().replace('-', ' ')}`);
    expect(data).toMatchObject({ machine_name: 'the laptop', product_version: '1.2.3', ip: '127.0.0.1' });
    await approve(owner, device.user_code, 'staging');

    const key = await device.ask();
    expect(key).toMatchObject({ status: 'linked', app_id, app_name: 'default', tenant_name: 'acme', environment: 'staging' });
    const client = cloud.as((key as Linked).key, app_id);
    const name = `from the laptop ${crypto.randomUUID()}`;
    const sent = await cloud.ingest({ api_key: (key as Linked).key, app_id }, aRequest([aChat({ name })]));
    expect(sent.status).toBe(200);
    expect(
      (await client.scores.createBatch({ body: { scores: [{ resource_id: 'x', name: 'n', score: 1 }] } })).data.summary.succeeded,
    ).toBe(1);
    expect((await owner.traceList.rows({ query: { name, environment: 'staging' } })).data.total).toBe(1);
    expect(await codeOf(client.traces.list({}))).toBe('403 forbidden');

    const createdKey = (await owner.apiKeys.list({ query: { limit: 1000 } })).data.find((key) => key.name === 'the laptop');
    expect(createdKey).toMatchObject({ permissions: ['trace.write', 'score.write'], expires_at: null, app_id });
    const entries = (await auditOf(tenant)).filter(({ actor_kind, actor_id }) => actor_kind === 'user' && actor_id === user_id);
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'api_key.create', target: createdKey?.id, app_id },
      { action: 'device_sign_in.approve', app_id },
    ]);
    await owner.apiKeys.revoke({ params: { apiKeyId: createdKey?.id ?? '' } });
    expect((await cloud.ingest({ api_key: (key as Linked).key, app_id }, aRequest([aChat()]))).status).toBe(401);
  });

  it('a machine that is denied is told so, and nobody can approve it any more', async () => {
    const device = await aDevice(cloud);
    await deny(tenant.owner, device.user_code);
    expect([await device.ask(), await device.ask()]).toEqual([{ status: 'denied' }, { status: 'denied' }]);
    expect(await codeOf(approve(tenant.owner, device.user_code))).toBe(notFound);
    expect(await codeOf(deny(tenant.owner, device.user_code))).toBe(notFound);
    expect((await auditOf(tenant))[0]).toMatchObject({ action: 'device_sign_in.deny', actor_id: tenant.user_id });
  });

  it('an expired request is not found any more, approved or not', async () => {
    const [pending, approved] = [await aDevice(cloud), await aDevice(cloud)];
    await approve(tenant.owner, approved.user_code);
    now += 600_000;
    expect([await pending.ask(), await approved.ask()]).toEqual([{ status: 'expired' }, { status: 'expired' }]);
    expect(await codeOf(find(tenant.owner, pending.user_code))).toBe(notFound);
    expect(await codeOf(approve(tenant.owner, pending.user_code))).toBe(notFound);
    expect(await codeOf(deny(tenant.owner, pending.user_code))).toBe(notFound);
  });

  it('a machine that asks too soon is told to wait longer each time', async () => {
    const device = await aDevice(cloud);
    expect(await device.ask()).toEqual({ status: 'pending', interval: 5 });
    now += 1000;
    expect(await device.ask()).toEqual({ status: 'slow_down', interval: 10 });
    now += 5000;
    expect(await device.ask()).toEqual({ status: 'slow_down', interval: 15 });
    now += 15_000;
    expect(await device.ask()).toEqual({ status: 'pending', interval: 15 });
  });

  it('two machines with one name get keys with different names', async () => {
    await linkDevice(tenant, 'twin');
    await linkDevice(tenant, 'twin');
    expect((await keyNames(tenant)).filter((name) => name.startsWith('twin')).sort()).toEqual(['twin', 'twin 2']);
  });

  it('the name of a machine is shown without invisible or control characters', async () => {
    const device = await aDevice(cloud, ' approve\u202e this\n\n\u200bnow \u0007');
    expect((await find(tenant.owner, device.user_code)).data.machine_name).toBe('approve this now');
    const nameless = await aDevice(cloud, '\u200b');
    expect((await find(tenant.owner, nameless.user_code)).data.machine_name).toBe('a machine without a name');
  });
});

describe('one use', () => {
  it('of many requests at once one gets the key, and there is one key', async () => {
    for (let round = 0; round < 5; round++) {
      const name = `raced ${round}`;
      const device = await aDevice(cloud, name);
      await approve(tenant.owner, device.user_code);
      const answers = await Promise.all(Array.from({ length: 20 }, () => device.ask()));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill('expired'), 'linked']);
      expect((await keyNames(tenant)).filter((keyName) => keyName.startsWith(name))).toEqual([name]);
    }
  });

  it('of two decisions at once, in two tenants, one counts; the other is answered as for an unknown code', async () => {
    for (let round = 0; round < 5; round++) {
      now += 60_000;
      const device = await aDevice(cloud, `contested ${round}`);
      const before = new Map(await Promise.all([tenant, other].map(async (team) => [team, (await auditOf(team)).length] as const)));
      const decisions = await Promise.all([
        codeOf(approve(tenant.owner, device.user_code)),
        codeOf(approve(other.owner, device.user_code)),
      ]);
      expect(decisions.filter((code) => code === notFound)).toHaveLength(1);
      const winner = decisions[0] === notFound ? other : tenant;
      const loser = winner === tenant ? other : tenant;
      for (const team of [winner, loser]) expect(await codeOf(find(team.owner, device.user_code))).toBe(notFound);
      expect(await device.ask()).toMatchObject({ status: 'linked', app_id: winner.app_id });
      expect(await keyNames(loser)).not.toContain(`contested ${round}`);
      expect(await auditOf(loser)).toHaveLength(before.get(loser) ?? 0);
    }
  });

  it('a request with the code of the machine but not its proof gets nothing, and spoils nothing', async () => {
    const device = await aDevice(cloud);
    await approve(tenant.owner, device.user_code);
    expect(await device.ask('x'.repeat(43))).toEqual({ status: 'expired' });
    expect((await device.ask()).status).toBe('linked');
    expect(await device.ask()).toEqual({ status: 'expired' });
  });

  it('no code and no key is stored in plain text', async () => {
    const device = await aDevice(cloud);
    const { key } = await linkDevice(tenant);
    const bytes = readdirSync(cloud.dataDir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(cloud.dataDir, name)).toString('latin1'))
      .join('');
    const { device_code, user_code, code_verifier } = device;
    for (const secret of [device_code, user_code, user_code.replace('-', ''), code_verifier, key]) expect(bytes).not.toContain(secret);
  });
});

describe('who may approve', () => {
  it('nobody without the permission to create keys, no key, nobody without a login, and nobody for an app that is not theirs', async () => {
    const device = await aDevice(cloud);
    const reader = await addMember(cloud, tenant, 'reader@acme.test', 'read');
    expect(await codeOf(approve(reader.client, device.user_code))).toBe('403 forbidden');
    expect(await codeOf(approve(tenant.client, device.user_code))).toBe('403 forbidden');
    expect(await codeOf(find(tenant.client, device.user_code))).toBe('403 forbidden');
    expect(await codeOf(approve(cloud.as(null, tenant.app_id), device.user_code))).toBe('401 unauthorized');
    expect(await codeOf(approve(cloud.as(tenant.token, other.app_id), device.user_code))).toBe('401 unauthorized');
    expect(await codeOf(approve(tenant.owner, device.user_code, 'nowhere'))).toBe('400 invalid_request_body');
    expect((await device.ask()).status).toBe('pending');
  });

  it('the approver must still have the permission when the key is fetched', async () => {
    const [demoted, removed] = [
      await addMember(cloud, tenant, 'demoted@acme.test', 'write'),
      await addMember(cloud, tenant, 'left@acme.test', 'admin'),
    ];
    const [first, second] = [await aDevice(cloud, 'of demoted'), await aDevice(cloud, 'of left')];
    await approve(demoted.client, first.user_code);
    await approve(removed.client, second.user_code);
    await tenant.owner.members.change({ params: { userId: demoted.user_id }, body: { role: 'read' } });
    await tenant.owner.members.remove({ params: { userId: removed.user_id } });
    expect([await first.ask(), await second.ask()]).toEqual([{ status: 'denied' }, { status: 'denied' }]);
    expect((await keyNames(tenant)).filter((name) => name.startsWith('of '))).toEqual([]);
  });

  it('no key is issued for a deleted environment or app', async () => {
    const { owner } = tenant;
    const { data: environment } = await owner.environments.create({ body: { name: 'short-lived' } });
    const { data: app } = await owner.apps.create({ body: { name: 'short-lived' } });
    const [first, second] = [await aDevice(cloud), await aDevice(cloud)];
    await approve(owner, first.user_code, 'short-lived');
    await approve(cloud.as(tenant.token, app.id), second.user_code);
    await owner.environments.remove({ params: { id: environment.id } });
    await owner.apps.remove({ params: { appId: app.id } });
    expect([await first.ask(), await second.ask()]).toEqual([{ status: 'expired' }, { status: 'expired' }]);
  });
});

it('approved keys count towards the plan before they are fetched', async () => {
  const small = await startTestCloud({ clock, planTable: plansWith({ enterprise: { api_keys: 2 } }) });
  const [first, second] = [await aDevice(small), await aDevice(small)];
  await approve(small.tenant.owner, first.user_code);
  expect(await codeOf(approve(small.tenant.owner, second.user_code))).toBe('402 entitlement_required');
  expect((await first.ask()).status).toBe('linked');
  await small.stop();
});

it('the rate limit of waiting machines is apart from that of sign-ins', async () => {
  const device = await aDevice(cloud);
  const answers = await Promise.all(Array.from({ length: 130 }, () => codeOf(device.ask())));
  expect(answers.filter((code) => code === '429 rate_limit_exceeded')).toHaveLength(10);
  const { email, password } = tenant;
  expect(await codeOf(cloud.as(null).auth.login({ body: { email, password } }))).toBe('none');
});

it('guessing codes is rate limited, and so is starting again and again', async () => {
  const guess = () => codeOf(find(tenant.owner, 'BBBB-BBBB'));
  const guesses = await Promise.all(Array.from({ length: 25 }, guess));
  expect(guesses.filter((code) => code === notFound)).toHaveLength(20);
  expect(guesses.filter((code) => code === '429 rate_limit_exceeded')).toHaveLength(5);
  await expect(aDevice(cloud)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
});
