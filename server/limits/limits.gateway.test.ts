/** Limits of plans, over HTTP with a clock controlled by the test. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GatewayError } from '../../shared/client.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../fixtures/test-cloud.ts';
import { ClientAddresses } from '../identity/client-addresses.ts';
import { plansWith } from './plan-table.ts';

let now = Date.now();
/** By how much somebody changed the wall clock of the machine. */
let clockChangeMs = 0;
const clock = { now: () => now + clockChangeMs, monotonic: () => now };
const small = { requests_per_minute: 20, searches_per_minute: 2, apps: 1, api_keys: 2, environments: 3 };
let cloud: TestCloud;
let tenant: TestTenant;

beforeAll(async () => {
  cloud = await startTestCloud({ clock, clients: new ClientAddresses(['127.0.0.1']), planTable: plansWith({ enterprise: small }) });
  tenant = cloud.tenant;
});
beforeEach(() => {
  now += 60_000;
});
afterAll(() => cloud.stop());

const ask = ({ api_key, app_id }: TestTenant) =>
  cloud.fetch('/v1/scores/names', { headers: { Authorization: api_key, 'X-Service-App-Id': app_id } });
const failureOf = (work: Promise<unknown>): Promise<GatewayError> =>
  work.then(
    () => expect.unreachable(),
    (error) => error,
  );

it('a tenant can send as many requests as its plan allows, and learns what is left and when to retry', async () => {
  for (let sent = 1; sent <= 20; sent++) {
    const { status, headers } = await ask(tenant);
    expect([status, headers.get('RateLimit-Limit'), headers.get('RateLimit-Remaining')]).toEqual([200, '20', String(20 - sent)]);
  }
  const refused = await ask(tenant);
  expect([refused.status, refused.headers.get('Retry-After'), refused.headers.get('RateLimit-Reset')]).toEqual([429, '3', '60']);
  expect(((await refused.json()) as { error: object }).error).toMatchObject({ code: 'rate_limit_exceeded', retry_after_seconds: 3 });
  now += 3000;
  expect((await ask(tenant)).status).toBe(200);
  expect((await ask(tenant)).status).toBe(429);
});

describe.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a clock that is set %s by an hour', (_, ms) => {
  afterEach(() => {
    clockChangeMs = 0;
  });

  it('locks no tenant out, allows no extra requests, and does not change the wait', async () => {
    const statuses = async (count: number) => {
      const answers: number[] = [];
      for (let sent = 0; sent < count; sent++) answers.push((await ask(tenant)).status);
      return answers;
    };
    expect(await statuses(1)).toEqual([200]);
    clockChangeMs = ms;
    expect(await statuses(19)).toEqual(Array.from({ length: 19 }, () => 200));
    const refused = await ask(tenant);
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3']);
    now += 3000;
    expect((await ask(tenant)).status).toBe(200);
  });

  it('locks nobody out of signing in, and allows no extra attempts', async () => {
    const answers = async (count: number) => Promise.all(Array.from({ length: count }, () => attempt('203.0.113.20')));
    expect(await answers(10)).toEqual(Array.from({ length: 10 }, () => 400));
    clockChangeMs = ms;
    expect((await answers(11)).sort()).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });
});

it('a login continues when the clock is set back, and ends on time by the current clock', async () => {
  const me = async () => {
    const { email, password, app_id } = tenant;
    const { token } = (await cloud.as(null).auth.login({ body: { email, password } })).data;
    return () =>
      cloud
        .as(token, app_id)
        .auth.me()
        .then(
          () => 200,
          (error: GatewayError) => error.status,
        );
  };
  const asks = await me();
  clockChangeMs = -3_600_000;
  expect(await asks()).toBe(200);
  clockChangeMs = 13 * 3_600_000;
  expect(await asks()).toBe(401);
  clockChangeMs = 0;
});

it('the requests of one tenant do not count against another', async () => {
  const other = await cloud.addTenant('other');
  for (let sent = 0; sent < 25; sent++) await ask(tenant);
  expect((await ask(other)).status).toBe(200);
});

const attempt = async (forwarded: string): Promise<number> => {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': forwarded };
  return (await cloud.fetch('/v1/auth/login', { method: 'POST', headers, body: '{}' })).status;
};

it('sign-in attempts are limited before anything is computed', async () => {
  const answers = await Promise.all(Array.from({ length: 21 }, () => attempt('203.0.113.9')));
  expect(answers.filter((status) => status === 400)).toHaveLength(20);
  expect(answers.filter((status) => status === 429)).toHaveLength(1);
  // Other clients of the same proxy are not affected, whatever addresses they claim.
  expect([await attempt('203.0.113.10'), await attempt('203.0.113.10, 203.0.113.9')]).toEqual([400, 429]);
});

it('keys and apps beyond the plan are refused with its limit', async () => {
  await tenant.owner.apiKeys.create({ body: { name: 'second' } });
  expect(await failureOf(tenant.owner.apiKeys.create({ body: { name: 'third' } }))).toMatchObject({
    status: 402,
    code: 'entitlement_required',
    extras: { entitlement: 'api_keys', current: 2, limit: 2 },
  });
  expect((await failureOf(tenant.owner.apps.create({ body: { name: 'second' } }))).extras).toMatchObject({ entitlement: 'apps', limit: 1 });
});

it('keys and environments that are created concurrently do not exceed the plan', async () => {
  const { owner } = await cloud.addTenant('hasty');
  const many = (make: (number: number) => Promise<unknown>) =>
    Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        make(number).then(
          () => 'made',
          (error) => error.code,
        ),
      ),
    );
  const countMade = (answers: string[]) => answers.filter((answer) => answer === 'made').length;
  const keys = await many((number) => owner.apiKeys.create({ body: { name: `key ${number}` } }));
  expect([countMade(keys), new Set(keys)]).toEqual([1, new Set(['made', 'entitlement_required'])]);
  now += 60_000;
  const environments = await many((number) => owner.environments.create({ body: { name: `environment ${number}` } }));
  expect([countMade(environments), new Set(environments)]).toEqual([2, new Set(['made', 'entitlement_required'])]);
});

it('a plan file may change limits and nothing else', () => {
  expect(plansWith({ free: { apps: 7 } }).free).toMatchObject({ apps: 7, api_keys: 10 });
  expect(() => plansWith({ free: { appps: 7 } })).toThrow();
  expect(() => plansWith({ gratis: {} })).toThrow();
});
