/**
 * Requests race with the end of their credential. Many are always pending; every request that is sent after the credential has ended is
 * refused and stores nothing.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan, aTraceId } from '../../shared/fixtures/otlp.ts';
import { openSqliteControl } from '../control/sqlite/open.ts';
import { MemoryBuckets } from '../coordination/memory-buckets.ts';
import { startTestCloud, type TestCloud } from '../fixtures/test-cloud.ts';
import { must } from '../platform/assert.ts';
import { systemClock } from '../platform/clock.ts';
import { Logins } from './logins.ts';
import { SessionTokens } from './session-token.ts';

/** GLASSHOUSE_ALL_CASES=1: 300. */
const rounds = process.env['GLASSHOUSE_ALL_CASES'] ? 300 : 100;
const senders = 8;
const secret = 'a secret of these tests, which is longer than it must be';
let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startTestCloud({ secret });
});
afterAll(() => cloud.stop());

interface Credential {
  authorization: string;
  end(): Promise<unknown>;
}

async function aKey(): Promise<Credential> {
  const { owner } = cloud.tenant;
  const { data } = await owner.apiKeys.create({ body: { name: crypto.randomUUID(), permissions: ['trace.read', 'trace.write'] } });
  return { authorization: data.plaintext_key, end: () => owner.apiKeys.revoke({ params: { apiKeyId: data.id } }) };
}

/** A login without the slow password check. */
async function aLogin(): Promise<Credential> {
  const { email, app_id } = cloud.tenant;
  const control = openSqliteControl(cloud.dataDir, systemClock);
  const user = must(await control.users.find(email), 'the owner is a user');
  const login = await new Logins(control, new SessionTokens([secret], systemClock), new MemoryBuckets(systemClock), systemClock).start(
    user,
    undefined,
    { ip: null, client: null },
  );
  await control.stop();
  const authorization = `Bearer ${must(login, 'the owner is a member').token}`;
  return { authorization, end: () => cloud.as(authorization, app_id).auth.logout() };
}

const ask = ({ authorization }: Credential, path: string, init: RequestInit = {}) =>
  cloud.fetch(path, {
    ...init,
    headers: { Authorization: authorization, 'X-Service-App-Id': cloud.tenant.app_id, 'Content-Type': 'application/json' },
  });

/** Reads and writes in turn. */
async function attempt(credential: Credential, number: number, traceId: string): Promise<number> {
  const body = JSON.stringify(aRequest([aSpan({ traceId, name: 'late' })]));
  const isWrite = number % 2 === 1;
  const response = isWrite ? await ask(credential, '/v1/traces', { method: 'POST', body }) : await ask(credential, '/v1/traces?limit=1');
  await response.arrayBuffer();
  return response.status;
}

interface Counts {
  before: number;
  after: number;
  /** Statuses other than 401 of requests that began after the end. */
  wrong: number[];
}

/** Ends the credential during continuous requests of all senders, and lets each send two more. @param warmUp responses to wait for before */
async function race(credential: Credential, warmUp: number, counts: Counts): Promise<string> {
  const late = aTraceId();
  let answered = 0;
  let isEnded = false;
  let begin = () => {};
  const isWarm = new Promise<void>((resolve) => (begin = resolve));
  if (warmUp === 0) begin();
  const sender = async (number: number) => {
    for (let left = 2; left > 0; ) {
      const beganAfter = isEnded;
      const status = await attempt(credential, number++, beganAfter ? late : aTraceId());
      if (++answered >= warmUp) begin();
      if (!beganAfter) counts.before++;
      else {
        left--;
        counts.after++;
        if (status !== 401) counts.wrong.push(status);
      }
    }
  };
  const sending = Promise.all(Array.from({ length: senders }, (_, number) => sender(number)));
  await isWarm;
  await credential.end();
  isEnded = true;
  await sending;
  return late;
}

describe.each([
  ['a key that is revoked', aKey],
  ['a login that ends', aLogin],
])('%s', (_, make) => {
  it(`admits no request that began after the end, ${rounds} times`, async () => {
    const counts: Counts = { before: 0, after: 0, wrong: [] };
    const late = new Set<string>();
    for (let round = 0; round < rounds; round++) late.add(await race(await make(), round % 12, counts));
    expect(counts.wrong).toEqual([]);
    expect(counts.after).toBe(rounds * senders * 2);
    // It was a real race: requests were pending all the time.
    expect(counts.before).toBeGreaterThanOrEqual(rounds * senders);
    for (const traceId of late) expect((await cloud.tenant.client.spans.list({ query: { trace_id: traceId } })).data).toEqual([]);
  });

  it('loses its live stream', async () => {
    const credential = await make();
    const reader = must((await ask(credential, '/v1/viewer/live')).body, 'a stream has one').getReader();
    await reader.read();
    await credential.end();
    while (!(await reader.read()).done);
    expect((await ask(credential, '/v1/viewer/live')).status).toBe(401);
  });
});
