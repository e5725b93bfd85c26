/** The end of a credential at one gateway is the end at every gateway on the same control store: for new requests, streams and sockets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControlStore } from '../control/control-store.ts';
import { openPostgresControl } from '../control/postgres/open.ts';
import { MemoryBuckets } from '../coordination/memory-buckets.ts';
import { type Bootstrapped, bootstrap } from '../entry/bootstrap.ts';
import { type CloudGateway, startCloudGateway } from '../entry/cloud.ts';
import { coordinationAt, openControlAt } from '../entry/open-control.ts';
import { connectWorker } from '../fixtures/a-worker.ts';
import { type PostgresDatabase, PostgresServer } from '../fixtures/postgres.ts';
import { must } from '../platform/assert.ts';
import { systemClock } from '../platform/clock.ts';
import { silentLog } from '../platform/log.ts';
import { Logins } from './logins.ts';
import { SessionTokens } from './session-token.ts';

const rounds = 40;
const senders = 4;
/** A stream is checked once a second. The rest is for a machine that is busy with other tests. */
const closedWithinMs = 10_000;
const secret = 'a secret of these tests, which is longer than it must be';
const email = 'owner@acme.test';
const folder = mkdtempSync(join(tmpdir(), 'glasshouse-revocation-'));
const server = await PostgresServer.start();
let database: PostgresDatabase;
let control: ControlStore;
let tenant: Bootstrapped;
let gateways: CloudGateway[] = [];

beforeAll(async () => {
  database = await server.createDatabase();
  const place = { url: database.url, connections: 10 };
  const dataDir = join(folder, 'a');
  tenant = await bootstrap({ dataDir, email, password: 'correct horse battery', tenant: 'acme', plan: 'enterprise', place });
  control = await openPostgresControl(place, systemClock);
  const own = { port: 0, host: '127.0.0.1', log: silentLog, secret };
  const shared = { openControl: openControlAt(place), openCoordination: coordinationAt(place) };
  gateways = [
    await startCloudGateway({ ...own, ...shared, dataDir }),
    await startCloudGateway({ ...own, ...shared, dataDir: `${folder}/b` }),
  ];
});
afterAll(async () => {
  for (const gateway of gateways) await gateway.stop();
  await control.stop();
  await database.drop();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Credential {
  authorization: string;
  /** At the first gateway. Resolves with its answer. */
  end(): Promise<unknown>;
}

const ask = (gateway: 0 | 1, authorization: string, path: string, init: RequestInit = {}) =>
  fetch(`${gateways[gateway]?.url}${path}`, {
    ...init,
    headers: { Authorization: authorization, 'X-Service-App-Id': tenant.app_id, 'Content-Type': 'application/json' },
  });

async function aLogin(): Promise<Credential> {
  const user = must(await control.users.find(email), 'the owner is a user');
  const logins = new Logins(control, new SessionTokens([secret], systemClock), new MemoryBuckets(systemClock), systemClock);
  const authorization = `Bearer ${must(await logins.start(user, undefined, { ip: null, client: null }), 'the owner is a member').token}`;
  return { authorization, end: () => ask(0, authorization, '/v1/auth/logout', { method: 'POST' }) };
}

async function aKey(permissions = ['trace.read', 'worker.connect']): Promise<Credential> {
  const { authorization: owner } = await aLogin();
  const body = JSON.stringify({ name: crypto.randomUUID(), permissions });
  const answer = await ask(0, owner, '/v1/api-keys', { method: 'POST', body });
  const { data } = (await answer.json()) as { data: { id: string; plaintext_key: string } };
  return { authorization: data.plaintext_key, end: () => ask(0, owner, `/v1/api-keys/${data.id}`, { method: 'DELETE' }) };
}

/** Requests to the second gateway go on while the credential ends at the first. @returns statuses of those that began after its answer */
async function race({ authorization, end }: Credential): Promise<number[]> {
  const late: number[] = [];
  let isEnded = false;
  const sender = async () => {
    for (let left = 2; left > 0; ) {
      const beganAfter = isEnded;
      const answer = await ask(1, authorization, '/v1/traces?limit=1');
      await answer.arrayBuffer();
      if (!beganAfter) continue;
      left--;
      late.push(answer.status);
    }
  };
  const sending = Promise.all(Array.from({ length: senders }, sender));
  expect((await ask(1, authorization, '/v1/traces?limit=1')).status).toBe(200);
  expect(await end()).toMatchObject({ status: 204 });
  isEnded = true;
  await sending;
  return late;
}

const measured = async (what: string, closed: Promise<unknown>, began: number) => {
  await closed;
  const ms = performance.now() - began;
  process.stdout.write(`${what} was closed after ${ms.toFixed(0)} ms\n`);
  expect(ms).toBeLessThan(closedWithinMs);
};

async function untilEnd(reader: ReadableStreamDefaultReader): Promise<void> {
  while (!(await reader.read()).done);
}

describe.each([
  ['a key that is revoked', aKey],
  ['a login that ends', aLogin],
] as const)('%s at another gateway', (_, make) => {
  it(`admits no request that began after the answer, ${rounds} times`, async () => {
    const late: number[] = [];
    for (let round = 0; round < rounds; round++) late.push(...(await race(await make())));
    expect(late).toEqual(Array.from({ length: rounds * senders * 2 }, () => 401));
  });

  it('loses its live stream', async () => {
    const { authorization, end } = await make();
    const reader = must((await ask(1, authorization, '/v1/viewer/live')).body, 'a stream has one').getReader();
    await reader.read();
    await end();
    await measured('the stream', untilEnd(reader), performance.now());
  });
});

it('a worker whose key is revoked at another gateway loses its connection, and others keep theirs', async () => {
  const other = await aKey();
  const kept = must((await ask(1, other.authorization, '/v1/viewer/live')).body, 'a stream has one').getReader();
  await kept.read();
  const { authorization, end } = await aKey();
  const worker = await connectWorker(gateways[1]?.url ?? '', authorization, { 'x-service-adapter': 'test' });
  await end();
  await measured('the worker', worker.closed, performance.now());
  expect(await worker.closed).toMatchObject({ code: 1008 });
  const ended = untilEnd(kept).then(() => 'ended');
  expect(await Promise.race([ended, new Promise((resolve) => setTimeout(() => resolve('open'), 1_500))])).toBe('open');
  await kept.cancel();
});
