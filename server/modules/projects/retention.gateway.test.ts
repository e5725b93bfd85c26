/** How long traces are kept, over HTTP, with the clock of the test: what goes, what stays, who may say so. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { addMember } from '../../fixtures/add-member.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';
import { systemClock } from '../../platform/clock.ts';

const dayMs = 24 * 3600 * 1000;
let now = Date.now();
let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud({
    clock: testClock(() => now),
    retentionEveryMs: 50,
    planTable: plansWith({ enterprise: { keep_days: 400 } }),
  });
});
afterAll(() => cloud.stop());

/** Sends a trace that began a number of days ago. @returns its id */
async function send(tenant: TestTenant, daysAgo: number, environment?: string): Promise<string> {
  const traceId = aTraceId();
  const headers = environment === undefined ? {} : { 'X-Service-Environment': environment };
  const response = await cloud.fetch('/v1/traces', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tenant.token}`, 'X-Service-App-Id': tenant.app_id, ...headers },
    body: JSON.stringify(aRequest([aSpan({ traceId, startMs: now - daysAgo * dayMs })])),
  });
  expect(response.status).toBe(200);
  return traceId;
}

const isThere = async (tenant: TestTenant, traceId: string) => (await codeOf(tenant.client.traces.get({ params: { traceId } }))) === 'none';
const gone = (tenant: TestTenant, ...traceIds: string[]) =>
  vi.waitFor(async () => expect(await Promise.all(traceIds.map((id) => isThere(tenant, id)))).toEqual(traceIds.map(() => false)), 30_000);

it('old traces are deleted by the rule of their environment, else of the app, and nothing of others; the audit log says so', async () => {
  const [tenant, other] = [cloud.tenant, await cloud.addTenant('neighbour')];
  const { data: staging } = await tenant.owner.environments.create({ body: { name: 'staging' } });
  const old = { dev: await send(tenant, 10, 'dev'), staging: await send(tenant, 10, 'staging') };
  const kept = { dev: await send(tenant, 2, 'dev'), staging: await send(tenant, 5, 'staging'), other: await send(other, 10) };
  const ancient = await send(tenant, 40, 'staging');
  const body = { keep_days: 3, environments: [{ environment_id: staging.id, keep_days: 30 }] };
  expect((await tenant.owner.retention.preview({ body })).data).toEqual({ traces: 2, spans: 2 });
  const { data } = await tenant.owner.retention.replace({ body });
  expect(data).toMatchObject({ keep_days: 3, plan_days: 400 });
  expect(data.environments.map(({ name, keep_days }) => [name, keep_days])).toEqual([
    ['dev', null],
    ['staging', 30],
  ]);
  await gone(tenant, old.dev, ancient);
  for (const id of [old.staging, kept.dev, kept.staging]) expect([id, await isThere(tenant, id)]).toEqual([id, true]);
  expect(await isThere(other, kept.other)).toBe(true);
  now += 2 * dayMs;
  await gone(tenant, kept.dev);
  expect([await isThere(tenant, kept.staging), await isThere(other, kept.other)]).toEqual([true, true]);
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const entries = (await control.audit.list(tenant.tenant_id, { limit: 100, offset: 0 })).data;
  await control.stop();
  const deletions = entries.filter(({ action }) => action === 'trace.delete');
  expect(deletions.map(({ actor_kind, actor_id }) => `${actor_kind} ${actor_id}`)).toEqual(
    Array.from({ length: 3 }, () => 'system retention'),
  );
  const [update, ...more] = entries.filter(({ action }) => action === 'retention.update');
  expect([update?.changes, more]).toEqual([
    [
      { field: 'keep_days', before: null, after: 3 },
      { field: 'environments', before: '', after: 'staging: 30' },
    ],
    [],
  ]);
});

it('the limit of the plan holds without any rule, and no rule may be longer', async () => {
  const tenant = await cloud.addTenant('without-rules');
  const [ancient, old] = [await send(tenant, 500), await send(tenant, 390)];
  await gone(tenant, ancient);
  expect(await isThere(tenant, old)).toBe(true);
  const { retention } = tenant.owner;
  expect(await codeOf(retention.replace({ body: { keep_days: 401, environments: [] } }))).toBe('402 entitlement_required');
  expect((await retention.get()).data).toMatchObject({ keep_days: null, plan_days: 400 });
});

it('rules are set by those who may delete traces, for their own environments', async () => {
  const [tenant, other] = [await cloud.addTenant('acme-roles'), await cloud.addTenant('stranger')];
  const before = (await tenant.owner.retention.get()).data;
  const body = { keep_days: 1, environments: [] };
  for (const role of ['write', 'read'] as const) {
    const { client } = await addMember(cloud, tenant, `${role}@roles.test`, role);
    expect(await codeOf(client.retention.replace({ body }))).toBe('403 forbidden');
    expect((await client.retention.get()).data).toEqual(before);
  }
  const foreign = (await other.owner.environments.list()).data[0]?.id ?? '';
  const rule = { environment_id: foreign, keep_days: 1 };
  expect(await codeOf(tenant.owner.retention.replace({ body: { keep_days: 1, environments: [rule] } }))).toBe('404 environment_not_found');
  const own = { environment_id: before.environments[0]?.environment_id ?? '', keep_days: 9 };
  expect(await codeOf(tenant.owner.retention.replace({ body: { keep_days: 9, environments: [own, own] } }))).toBe(
    '400 invalid_request_body',
  );
  expect((await tenant.owner.retention.get()).data).toEqual(before);
});
