/** From a gateway on one's own machine to a real cloud, through the routes that the viewer uses. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aChat, aRequest, aSpanId, aTraceId } from '../../../shared/fixtures/otlp.ts';
import { codeOf } from '../../fixtures/code-of.ts';
import { type RefusingCloud, startRefusingCloud } from '../../fixtures/refusing-cloud.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway, type TestGateway } from '../../fixtures/test-gateway.ts';
import { newKeyValue } from '../../identity/key-value.ts';

let cloud: TestCloud;
let gateway: TestGateway;

beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  gateway = await startTestGateway({ environment: {} });
});
afterEach(() => gateway.stop());

const at = { params: { name: 'cloud' } };
const destination = () => ({ name: 'cloud', url: cloud.url, app_id: cloud.tenant.app_id, key: cloud.tenant.api_key });
const create = (change: object = {}) => gateway.client.forwarding.create({ body: { ...destination(), ...change } });
const first = async (of = gateway) => (await of.client.forwarding.list()).data[0];
const stateOf = async (of = gateway) => (await first(of))?.state;
const hasArrived = async (traceId: string) => (await cloud.tenant.client.spans.list({ query: { trace_id: traceId } })).data.length > 0;
const aTrace = async (of = gateway) => {
  const traceId = aTraceId();
  await of.ingest(aRequest([aChat({ traceId, spanId: aSpanId() })]));
  return traceId;
};
const detailsOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: { details: unknown }) => error.details,
  );
const forwardingOf = async (traceId: string) =>
  (await gateway.client.forwarding.states({ body: { trace_ids: [traceId] } })).data[0]?.destinations[0];

describe('a destination is tested before it is saved', () => {
  it.each([
    ['no address', { url: 'cloud' }, 'url'],
    ['an address that would send the key unencrypted', { url: 'http://cloud.example' }, 'url'],
    ['an address without a server', { url: 'http://127.0.0.1:9' }, 'url'],
    ['half a key', { key: 'sk_service_half' }, 'key'],
    ['an unknown key', { key: newKeyValue().value }, 'key'],
  ])('%s', async (_, change, field) => {
    expect(await detailsOf(create(change))).toEqual({ [field]: expect.any(String) });
    expect(await first()).toBeUndefined();
  });

  it('another app than that of the key', async () => {
    expect(await detailsOf(create({ app_id: (await cloud.addTenant('other')).app_id }))).not.toBeNull();
  });

  it('this gateway itself, and one that forwards to it', async () => {
    const key = newKeyValue().value;
    expect(await detailsOf(create({ url: gateway.url, key }))).toEqual({ url: expect.stringContaining('you are using') });
    const other = await startTestGateway({ environment: {} });
    try {
      await other.client.forwarding.create({ body: { name: 'back', url: gateway.url, app_id: 'local', key } });
      expect(await detailsOf(create({ url: other.url, key }))).toEqual({ url: expect.stringContaining('would loop') });
    } finally {
      await other.stop();
    }
  });
});

describe('forwarding', () => {
  it('starts with new traces, reports its state, and deletes nothing here', async () => {
    const before = await aTrace();
    await create();
    const traceId = await aTrace();
    await expect.poll(() => hasArrived(traceId)).toBe(true);
    expect(await hasArrived(before)).toBe(false);
    await expect.poll(() => stateOf()).toMatchObject({ is: 'up_to_date' });
    expect(await first()).toMatchObject({
      viewer_url: cloud.url,
      sent: 1,
      waiting: { spans: 0 },
      dead_letters: 0,
      last_error: null,
      receipt: expect.any(String),
    });
    await expect.poll(() => forwardingOf(traceId)).toMatchObject({ is: 'sent', sent_at: expect.any(String) });
    expect(await forwardingOf(before)).toMatchObject({ is: 'local' });
    expect((await gateway.client.traces.list()).data).toHaveLength(2);
  });

  it('includes existing traces when that is requested', async () => {
    const before = await aTrace();
    await create({ with_all: true });
    await expect.poll(() => hasArrived(before)).toBe(true);
  });

  it('by hand only: a trace is sent with its scores on request, and no other is', async () => {
    const [chosen, unchosen] = [await aTrace(), await aTrace()];
    await gateway.client.scores.create({ body: { resource_id: chosen, name: 'kind', score: 1 } });
    await create({ automatic: false });
    const later = await aTrace();
    await gateway.client.forwarding.traces({ ...at, body: { trace_ids: [chosen] } });
    await expect.poll(() => hasArrived(chosen)).toBe(true);
    const scores = async () => (await cloud.tenant.client.scores.list({ query: { resource_id: chosen } })).data.map(({ name }) => name);
    await expect.poll(scores).toEqual(['kind']);
    expect([await hasArrived(unchosen), await hasArrived(later)]).toEqual([false, false]);
  });

  it('sends nothing while it is paused, also over a restart, and continues where it stopped', async () => {
    await create();
    await gateway.client.forwarding.change({ ...at, body: { is_paused: true } });
    const traceId = await aTrace();
    expect(await forwardingOf(traceId)).toMatchObject({ is: 'queued', waiting: 1 });
    await gateway.restart();
    expect(await first()).toMatchObject({ state: { is: 'off' }, waiting: { spans: 1, oldest: expect.any(String) } });
    await gateway.client.forwarding.change({ ...at, body: { is_paused: false } });
    await expect.poll(() => hasArrived(traceId)).toBe(true);
  });

  it('a revoked key pauses it, also over a restart, and another key continues it', async () => {
    const { owner } = cloud.tenant;
    const created = (await owner.apiKeys.create({ body: { name: `doomed ${aSpanId()}`, permissions: ['trace.write'] } })).data;
    await create({ key: created.plaintext_key });
    await owner.apiKeys.revoke({ params: { apiKeyId: created.id } });
    const traceId = await aTrace();
    await expect.poll(() => stateOf()).toMatchObject({ is: 'paused', why: 'key' });
    await gateway.restart();
    expect(await first()).toMatchObject({ state: { is: 'paused', why: 'key' }, last_error: { code: expect.stringContaining('401') } });
    await gateway.client.forwarding.change({ ...at, body: { key: cloud.tenant.api_key } });
    await expect.poll(() => hasArrived(traceId)).toBe(true);
  });

  it('another address has no key until one is entered', async () => {
    await create();
    const moved = await gateway.client.forwarding.change({ ...at, body: { url: 'http://127.0.0.1:9' } });
    expect(moved.data).toMatchObject({ url: 'http://127.0.0.1:9', key: { shown: null }, state: { is: 'paused', why: 'no_key' } });
    expect(readFileSync(join(gateway.dataDir, 'secrets.json'), 'utf8')).not.toContain(cloud.tenant.api_key);
  });

  it('a removed destination is deleted with its key, and what it was to get stays here', async () => {
    await create();
    await gateway.client.forwarding.remove(at);
    expect(await first()).toBeUndefined();
    const traceId = await aTrace();
    expect((await gateway.client.traces.get({ params: { traceId } })).data.id).toBe(traceId);
    expect(readFileSync(join(gateway.dataDir, 'secrets.json'), 'utf8')).not.toContain(cloud.tenant.api_key);
    expect(await codeOf(gateway.client.forwarding.retry(at))).toBe('404 destination_not_found');
  });

  it('the key is in one file that only its owner reads, and in no answer', async () => {
    await create();
    await aTrace();
    const filesWithKey = readdirSync(gateway.dataDir, { recursive: true })
      .map((name) => join(gateway.dataDir, String(name)))
      .filter((file) => statSync(file).isFile() && readFileSync(file).includes(cloud.tenant.api_key));
    expect(filesWithKey).toEqual([join(gateway.dataDir, 'secrets.json')]);
    expect(statSync(filesWithKey[0] ?? '').mode & 0o777).toBe(0o600);
    const maskedKey = (await first())?.key.shown ?? '';
    expect(maskedKey).toMatch(/^sk_service_…\w{4}$/);
    expect(JSON.stringify(await gateway.client.forwarding.list())).not.toContain(cloud.tenant.api_key);
  });
});

describe('what cannot be sent', () => {
  let refusing: RefusingCloud;
  beforeEach(async () => {
    refusing = await startRefusingCloud();
  });
  afterEach(() => refusing.stop());

  it('is a dead letter with the reason, can be read as OTLP, and is sent when it is retried', async () => {
    await create({ url: refusing.url });
    const traceId = await aTrace();
    await expect.poll(async () => (await first())?.dead_letters).toBe(1);
    expect(await forwardingOf(traceId)).toMatchObject({ is: 'dead_letter', reason: 'Spans like this are not accepted' });
    const { data } = await gateway.client.forwarding.deadLetters(at);
    expect(data).toMatchObject([{ kind: 'spans', trace_id: traceId, reason: 'Spans like this are not accepted' }]);
    const lines = await (await gateway.fetch('/v1/viewer/forwarding/cloud/dead-letters/otlp')).text();
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { resourceSpans: unknown[] }).resourceSpans.length),
    ).toEqual([1]);
    refusing.acceptAll();
    await gateway.client.forwarding.retryDeadLetters(at);
    await expect.poll(() => first()).toMatchObject({ dead_letters: 0, sent: 1 });
  });
});

describe('without a viewer', () => {
  const environment = (change: NodeJS.ProcessEnv = {}) => ({
    GLASSHOUSE_FORWARD_URL: cloud.url,
    GLASSHOUSE_FORWARD_APP: cloud.tenant.app_id,
    GLASSHOUSE_FORWARD_KEY: cloud.tenant.api_key,
    ...change,
  });

  it('environment variables name the destination, from the first trace on, and the key is written nowhere', async () => {
    const headless = await startTestGateway({ environment: environment() });
    try {
      const traceId = await aTrace(headless);
      await expect.poll(() => first(headless)).toMatchObject({ name: 'env', key: { kept: 'environment' } });
      await expect.poll(() => hasArrived(traceId)).toBe(true);
      expect(readdirSync(headless.dataDir)).not.toContain('secrets.json');
    } finally {
      await headless.stop();
    }
  });

  it('a destination without its key, or that is this gateway, is paused with the reason; the gateway runs', async () => {
    const keyless = await startTestGateway({ environment: environment({ GLASSHOUSE_FORWARD_KEY: undefined }) });
    try {
      await expect.poll(() => stateOf(keyless)).toMatchObject({ is: 'paused', why: 'no_key' });
    } finally {
      await keyless.stop();
    }
    const own: NodeJS.ProcessEnv = environment();
    const itself = await startTestGateway({ environment: own });
    try {
      own['GLASSHOUSE_FORWARD_URL'] = itself.url;
      await itself.restart();
      await expect.poll(() => stateOf(itself)).toMatchObject({ is: 'paused', why: 'itself' });
    } finally {
      await itself.stop();
    }
  });
});

it('a loop of two gateways that the checks missed ends: what is stored already is not forwarded again', async () => {
  const key = newKeyValue().value;
  const other = await startTestGateway({ environment: {} });
  try {
    await create({ name: 'there', url: other.url, app_id: 'local', key });
    // As an older gateway would: it does not check who forwards to it.
    await other.client.forwarding.create({
      body: { name: 'back', url: cloud.url, app_id: cloud.tenant.app_id, key: cloud.tenant.api_key },
    });
    await other.gateway.stop();
    const { openSqliteTelemetry } = await import('../../telemetry/sqlite/store.ts');
    const store = await openSqliteTelemetry(other.dataDir, new URL('../../entry/thread.ts', import.meta.url));
    const about = JSON.stringify({ url: gateway.url, app_id: 'local' });
    await store.forwarding.set({ tenant_id: 'local', app_id: 'local' }, 'back', { about });
    await store.stop();
    await other.restart();
    const traceId = await aTrace();
    const sentBy = async (of: TestGateway) => (await first(of))?.sent;
    await expect.poll(() => sentBy(other)).toBe(1);
    await expect.poll(() => stateOf(other)).toMatchObject({ is: 'up_to_date' });
    await expect.poll(() => stateOf()).toMatchObject({ is: 'up_to_date' });
    expect([await sentBy(gateway), await sentBy(other)]).toEqual([1, 1]);
    expect((await gateway.client.spans.list({ query: { trace_id: traceId } })).data).toHaveLength(1);
  } finally {
    await other.stop();
  }
});
