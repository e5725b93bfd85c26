/** Limits that gateways on one PostgreSQL share, over HTTP, each gateway with a data folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../control/postgres/migrate.ts';
import { bootstrap } from '../entry/bootstrap.ts';
import { type CloudGateway, startCloudGateway } from '../entry/cloud.ts';
import { coordinationAt, openControlAt } from '../entry/open-control.ts';
import { type PostgresDatabase, PostgresServer, withClient } from '../fixtures/postgres.ts';
import { ClientAddresses } from '../identity/client-addresses.ts';
import { silentLog } from '../platform/log.ts';
import { plansWith } from './plan-table.ts';

const login = { email: 'owner@acme.test', password: 'correct horse battery' };
const planTable = plansWith({ free: { requests_per_minute: 60 }, growth: { requests_per_minute: 1200 } });
const folders: string[] = [];
const server = await PostgresServer.start();
let control: PostgresDatabase;
/** Another database than that of the control store, so that a test can take it away alone. */
let shared: PostgresDatabase;
const gateways: CloudGateway[] = [];

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'glasshouse-shared-'));
  folders.push(folder);
  return folder;
};
const placeOf = ({ url }: PostgresDatabase) => ({ url, connections: 5 });
const aGateway = () =>
  startCloudGateway({
    ...{ port: 0, host: '127.0.0.1', dataDir: aFolder(), log: silentLog, secret: 's'.repeat(40), planTable },
    clients: new ClientAddresses(['127.0.0.1']),
    openControl: openControlAt(placeOf(control)),
    openCoordination: coordinationAt(placeOf(shared)),
  });
const aTenant = (name: string, plan: 'free' | 'growth') =>
  bootstrap({ dataDir: aFolder(), tenant: name, plan, ...login, email: `owner@${name}.test`, place: placeOf(control) });
const urlOf = (number: number) => gateways[number % gateways.length]?.url ?? '';

beforeAll(async () => {
  [control, shared] = [await server.createDatabase(), await server.createDatabase()];
  await withClient(shared.url, migrate);
  for (let count = 0; count < 3; count++) gateways.push(await aGateway());
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  for (const { drop } of [control, shared]) await drop();
  await server.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

type Keyed = Pick<Awaited<ReturnType<typeof aTenant>>, 'api_key' | 'app_id'>;

const read = async ({ api_key, app_id }: Keyed, url: string, path = '/v1/scores/names'): Promise<Response> => {
  const response = await fetch(url + path, { headers: { Authorization: api_key, 'X-Service-App-Id': app_id } });
  await response.arrayBuffer();
  return response;
};

const attempt = async (url: string, email: string, from: string) => {
  const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': from };
  const response = await fetch(`${url}/v1/auth/login`, { method: 'POST', headers, body: JSON.stringify({ ...login, email }) });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code };
};

/**
 * Many requests at a time at all gateways in turn, until each has refused some and so has no tokens left.
 * @param left tokens in the bucket of the tenant
 * @returns the number that was allowed, and between which numbers it must be
 */
async function admitted(tenant: Keyed, limit: number, left: number): Promise<{ allowed: number; least: number; most: number }> {
  const began = performance.now();
  let [allowed, sent, emptyMs] = [0, 0, 0];
  const refused = gateways.map(() => 0);
  const sender = async () => {
    while (refused.some((count) => count < 20)) {
      const number = sent++ % gateways.length;
      const sentMs = performance.now();
      // Which is counted, and refused before anything is read.
      const { status } = await read(tenant, urlOf(number), '/v1/spans?limit=none');
      if (status === 400) allowed++;
      else if (status === 429) {
        refused[number] = (refused[number] ?? 0) + 1;
        emptyMs = Math.max(emptyMs, sentMs);
      } else throw new Error(`answered with ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 24 }, sender));
  const until = (ms: number) => left + ((ms - began) / 60_000) * limit;
  // Nothing was left when a request was refused. What came since then may not be used up yet.
  return { allowed, least: until(emptyMs), most: until(performance.now()) };
}

/** Uses up a part of a tenant's bucket, because a gateway that runs beside other tests may answer few requests a second. */
const useUp = (tenantId: string, seconds: number) =>
  withClient(shared.url, (client) =>
    client.query("INSERT INTO bucket VALUES (sha256(convert_to('all ' || $1, 'UTF8')), now() + $2 * interval '1 second', 0)", [
      ...[tenantId, seconds],
    ]),
  );

describe('three gateways', () => {
  it.each([
    ['free', 60],
    ['growth', 1200],
  ] as const)('together admit what the plan %s allows, %i a minute', async (plan, limit) => {
    const tenant = await aTenant(plan, plan);
    const usedUp = limit > 1000 ? 55 : 0;
    await useUp(tenant.tenant_id, usedUp);
    const { allowed, least, most } = await admitted(tenant, limit, (limit * (60 - usedUp)) / 60);
    process.stdout.write(`${limit} a minute: ${allowed} allowed, ${least.toFixed(0)} to ${most.toFixed(0)} expected\n`);
    expect(allowed).toBeLessThanOrEqual(most * 1.05);
    expect(allowed).toBeGreaterThanOrEqual(least * 0.95);
  });

  it.each([
    ['from one network', 20, (number: number) => ({ from: '203.0.113.9', email: `a${number}` })],
    ['to one account', 10, (number: number) => ({ from: `198.51.100.${number}`, email: 'nobody@acme.test' })],
  ] as const)('count the attempts to sign in %s together', async (_, limit, attemptOf) => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, number) => {
        const { from, email } = attemptOf(number);
        return attempt(urlOf(number), email, from);
      }),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeLessThanOrEqual(30 - limit);
    // A token comes back every three or six seconds.
    expect(refused.length).toBeGreaterThanOrEqual(30 - limit - 2);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await attempt(urlOf(0), `b${limit}`, '203.0.113.10')).status).toBe(401);
  });
});

describe('while the database of limits is away', () => {
  it('requests are answered and sign-ins are refused, until it is back', async () => {
    const tenant = await aTenant('patient', 'growth');
    const before = await read(tenant, urlOf(0));
    const name = new URL(shared.url).pathname.slice(1);
    await withClient(control.url, async (client) => {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    });
    for (let number = 0; number < 9; number++) {
      const { status, headers } = await read(tenant, urlOf(number));
      expect([status, headers.get('RateLimit-Limit')]).toEqual([200, before.headers.get('RateLimit-Limit')]);
      expect(await attempt(urlOf(number), 'owner@patient.test', `203.0.113.${number + 20}`)).toEqual({
        status: 503,
        code: 'storage_unavailable',
      });
    }
    await withClient(control.url, (client) => client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`));
    for (const { url } of gateways)
      await expect.poll(async () => (await attempt(url, 'owner@patient.test', '203.0.113.90')).status).toBe(200);
  });
});
