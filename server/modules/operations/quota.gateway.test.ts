/** The quota of a tenant over HTTP, with the test's own clock: batches race for what is left, and with the turn of the month. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../../shared/fixtures/otlp.ts';
import { readFields, requestBytes } from '../../../shared/fixtures/otlp-protobuf.ts';
import type { Bootstrapped } from '../../entry/bootstrap.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { plansWith } from '../../limits/plan-table.ts';

const spansMax = 100;
const bytesMax = 200_000;
const noon = Date.UTC(2026, 10, 20, 12);
const nextMonth = Date.UTC(2026, 11, 1);

let now = noon;
const clock = testClock(() => now);
let cloud: TestCloud;
let number = 0;

beforeAll(async () => {
  const enterprise = { monthly_spans: spansMax, storage_bytes: bytesMax };
  cloud = await startTestCloud({ clock, planTable: plansWith({ enterprise }) });
});
afterAll(() => cloud.stop());

const aTenant = (): Promise<TestTenant> => cloud.addTenant(`tenant-${++number}`);
const spans = (count: number): object[] => Array.from({ length: count }, () => aSpan());

interface SendResult {
  status: number;
  retryAfter: string | null;
  error: { code: string; currentCount: number; limit: number; upgradeUrl: string } | undefined;
}

type Sender = Pick<Bootstrapped, 'api_key' | 'app_id'>;

async function send(sender: Sender, sent: object[]): Promise<SendResult> {
  const response = await cloud.ingest(sender, aRequest(sent));
  const { error } = (await response.json()) as Pick<SendResult, 'error'>;
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), error };
}

const sendProtobuf = ({ api_key, app_id }: Sender, sent: object[]) =>
  cloud.fetch('/v1/traces', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-protobuf', Authorization: api_key, 'X-Service-App-Id': app_id },
    body: requestBytes(aRequest(sent)),
  });

const storedIn = async (app: TestTenant['client']): Promise<number> => (await app.spans.list({ query: { limit: 1 } })).pagination.total;
const quotaRefusal = (current: number, seconds: number) => ({
  status: 429,
  retryAfter: String(seconds),
  error: {
    code: 'span_limit_exceeded',
    message: 'The spans of this month are used up',
    currentCount: current,
    limit: spansMax,
    upgradeUrl: `${cloud.url}/#/settings/usage`,
    retry_after_seconds: seconds,
  },
});

/** Another app of the tenant, with a key of its own. */
async function anotherApp(tenant: TestTenant): Promise<Sender & { client: TestTenant['client'] }> {
  const { data: app } = await tenant.owner.apps.create({ body: { name: 'second' } });
  const { data: key } = await cloud
    .as(tenant.token, app.id)
    .apiKeys.create({ body: { name: 'k', permissions: ['trace.write', 'span.read'] } });
  return { api_key: key.plaintext_key, app_id: app.id, client: cloud.as(key.plaintext_key, app.id) };
}

it('parallel batches of all its apps use the quota up and store no span more, even when batches are repeated', async () => {
  for (let round = 0; round < 8; round++) {
    const tenant = await aTenant();
    const second = await anotherApp(tenant);
    const batches = Array.from({ length: 64 }, (_, i) => ({ from: i % 2 === 0 ? tenant : second, sent: spans(3) }));
    const answers = await Promise.all([...batches, ...batches].map(({ from, sent }) => send(from, sent)));
    const isStored = (i: number) => answers[i]?.status === 200;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2 * 33);
    for (const [i] of batches.entries()) expect(isStored(i)).toBe(isStored(i + batches.length));
    for (const refusal of answers.filter(({ status }) => status !== 200))
      expect(refusal).toEqual(quotaRefusal(99, (nextMonth - noon) / 1000));
    expect((await storedIn(tenant.client)) + (await storedIn(second.client))).toBe(99);
    expect((await send(second, spans(1))).status).toBe(200);
    expect(await send(tenant, spans(1))).toEqual(quotaRefusal(100, (nextMonth - noon) / 1000));
  }
});

it('stored spans are accepted again when nothing is left, and count once', async () => {
  const tenant = await aTenant();
  const sent = spans(spansMax);
  const answers = await Promise.all(Array.from({ length: 16 }, () => send(tenant, sent)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
  expect(await storedIn(tenant.client)).toBe(spansMax);
  expect(await send(tenant, [...sent, aSpan()])).toEqual(quotaRefusal(spansMax, (nextMonth - noon) / 1000));
  expect((await send(tenant, sent)).status).toBe(200);
  await cloud.restart();
  expect(await send(tenant, spans(1))).toEqual(quotaRefusal(spansMax, (nextMonth - noon) / 1000));
});

it('is exact at the turn of the month, also for batches that race with it', async () => {
  const tenant = await aTenant();
  now = nextMonth - 1;
  expect((await send(tenant, spans(spansMax - 10))).status).toBe(200);
  // Half of what follows is sent in the old month, which has room for ten; the other half in the new one.
  const racing = Array.from({ length: 60 }, (_, i) => {
    if (i === 30) now = nextMonth;
    return send(tenant, spans(2));
  });
  const before = (await Promise.all(racing)).filter(({ status }) => status === 200).length;
  expect(before).toBeGreaterThanOrEqual(5);
  expect(before).toBeLessThanOrEqual(5 + spansMax / 2);
  const total = spansMax - 10 + 2 * before;
  expect(await storedIn(tenant.client)).toBe(total);

  now = nextMonth;
  const { error } = await send(tenant, spans(spansMax + 1));
  const ofNew = Number(error?.currentCount);
  now = nextMonth - 1;
  const ofOld = await send(tenant, spans(spansMax + 1));
  expect(ofOld.retryAfter).toBe('1');
  expect(ofNew + Number(ofOld.error?.currentCount)).toBe(total);
  expect(ofOld.error?.currentCount).toBeLessThanOrEqual(spansMax);

  now = nextMonth;
  expect((await send(tenant, spans(spansMax - ofNew))).status).toBe(200);
  expect(await send(tenant, spans(1))).toEqual(quotaRefusal(spansMax, 31 * 24 * 3600));
  now = noon;
});

it('refuses all of a batch that would exceed it, and answers protobuf senders in protobuf', async () => {
  const tenant = await aTenant();
  expect((await sendProtobuf(tenant, spans(spansMax - 1))).status).toBe(200);
  const refused = await sendProtobuf(tenant, spans(2));
  expect([refused.status, refused.headers.get('Content-Type'), refused.headers.get('Retry-After')]).toEqual([
    429,
    'application/x-protobuf',
    String((nextMonth - noon) / 1000),
  ]);
  const fields = readFields(new Uint8Array(await refused.arrayBuffer()));
  const [code, message] = [1, 2].map((number) => fields.find(({ field }) => field === number)?.value);
  // RESOURCE_EXHAUSTED
  expect(Number(code)).toBe(8);
  expect(Buffer.from(message as Uint8Array).toString()).toBe('span_limit_exceeded: The spans of this month are used up');
  expect(await storedIn(tenant.client)).toBe(spansMax - 1);
});

it('stores no more than the plan allows, and accepts what is stored already', async () => {
  const tenant = await aTenant();
  const large = () => [aSpan({ attributes: { 'gen_ai.prompt': crypto.randomUUID().repeat(500) } })];
  const batches = Array.from({ length: 40 }, large);
  const answers = await Promise.all(batches.map((sent) => send(tenant, sent)));
  const stored = answers.filter(({ status }) => status === 200).length;
  expect(stored).toBeGreaterThanOrEqual(5);
  expect(stored).toBeLessThan(bytesMax / 18_000);
  expect(await storedIn(tenant.client)).toBe(stored);
  for (const { status, retryAfter, error } of answers.filter(({ status }) => status !== 200)) {
    expect([status, retryAfter, error?.code, error?.limit]).toEqual([429, '3600', 'storage_cap_exceeded', bytesMax]);
    expect(error?.currentCount).toBeGreaterThan(0);
    expect(error?.currentCount).toBeLessThanOrEqual(bytesMax);
  }
  const storedBatch = batches[answers.findIndex(({ status }) => status === 200)] as object[];
  expect((await send(tenant, storedBatch)).status).toBe(200);
  now = nextMonth;
  expect((await send(tenant, large())).error?.code).toBe('storage_cap_exceeded');
  now = noon;
});

it('does not affect other tenants', async () => {
  const [tenant, other] = [await aTenant(), await aTenant()];
  await send(tenant, spans(spansMax));
  expect((await send(tenant, spans(1))).status).toBe(429);
  expect((await send(other, spans(1))).status).toBe(200);
});
