/** Sign-in attempts on one account, over HTTP from many networks, with a clock controlled by the test. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testClock } from '../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { ClientAddresses } from '../identity/client-addresses.ts';
import { isPassword, PasswordsBusy } from '../identity/password.ts';

let now = Date.now();
let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud({ clock: testClock(() => now), clients: new ClientAddresses(['127.0.0.1']) });
});
beforeEach(() => {
  now += 60_000;
});
afterAll(() => cloud.stop());

let networks = 0;
const anotherNetwork = () => `203.0.113.${++networks}`;

async function attempt(email: string, password: string, from = anotherNetwork()) {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
  const answer = await cloud.fetch('/v1/auth/login', { method: 'POST', headers, body: JSON.stringify({ email, password }) });
  const { error } = (await answer.json()) as { error?: { code: string; message: string } };
  return { status: answer.status, after: answer.headers.get('Retry-After'), code: error?.code, message: error?.message };
}
async function fails(email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await attempt(email, 'not the password')).status);
  return statuses;
}
const refused = { status: 429, after: '6', code: 'rate_limit_exceeded' };
const tenTimes401 = Array.from({ length: 10 }, () => 401);

it('many networks together get no more attempts on an account than one, and nobody learns whether the account exists', async () => {
  expect(await fails(cloud.tenant.email, 10)).toEqual(tenTimes401);
  const known = await attempt(cloud.tenant.email.toUpperCase(), cloud.tenant.password);
  expect(known).toMatchObject(refused);
  expect(await fails('nobody@acme.test', 10)).toEqual(tenTimes401);
  expect(await attempt('nobody@acme.test', 'x')).toEqual(known);
  // Another account is not affected, and this one for seconds only.
  expect((await attempt('another@acme.test', 'x')).status).toBe(401);
  now += 6_000;
  expect((await attempt(cloud.tenant.email, cloud.tenant.password)).status).toBe(200);
});

it('a network with an earlier sign-in is not affected by attempts from other networks', async () => {
  const { email, password } = cloud.tenant;
  const home = anotherNetwork();
  expect((await attempt(email, password, home)).status).toBe(200);
  expect(await fails(email, 11)).toEqual([...tenTimes401, 429]);
  expect((await attempt(email, password, home)).status).toBe(200);
  expect((await attempt(email, password)).status).toBe(429);
});

it('successful attempts are not counted', async () => {
  const { email, password } = cloud.tenant;
  for (let time = 0; time < 15; time++) expect((await attempt(email, password, '198.51.100.7')).status).toBe(200);
});

it('passwords beyond the queue are refused, and queued ones are checked', async () => {
  const checks = await Promise.allSettled(Array.from({ length: 40 }, () => isPassword('x', null)));
  const busy = checks.filter((check) => check.status === 'rejected');
  expect(busy).toHaveLength(6);
  for (const { reason } of busy) expect(reason).toBeInstanceOf(PasswordsBusy);
  expect(await isPassword('x', null)).toBe(false);
});
