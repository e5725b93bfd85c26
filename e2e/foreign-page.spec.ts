/**
 * A foreign web page in a real browser against a gateway with secret data: it can neither read nor write, whatever its origin; a page of a
 * development server on loopback can send spans and nothing else (docs/reference/access.md#local-guard).
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Frame, type Page } from '@playwright/test';
import { systemChromium } from '../scripts/chromium.ts';
import { aProject } from '../server/fixtures/project-tree.ts';
import { startTestGateway, type TestGateway } from '../server/fixtures/test-gateway.ts';
import { aRequest, aSpan, aSpanId, aTraceId } from '../shared/fixtures/otlp.ts';
import { type Targets, tryToRead, tryToWrite, type Write } from './foreign-attempts.ts';
import { test } from './journey.ts';

const executablePath = systemChromium();
// Internet host names that resolve to this machine, as with an attacker's name server.
const args = ['--host-resolver-rules=MAP evil.example 127.0.0.1, MAP *.rebound.example 127.0.0.1'];
test.use({ launchOptions: executablePath === undefined ? { args } : { args, executablePath } });

const secret = 'the-launch-code-is-0000';
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const project = aProject({ 'agentmark.json': '{"version":"2.0"}', 'agentmark/rows.jsonl': `{"input":"${secret}"}\n` });

let gateway: TestGateway;
let web: Server;
let webPort: number;
let targets: Targets;
let writes: Write[];
let before: unknown;

test.beforeAll(async () => {
  gateway = await startTestGateway({ projectDir: project.root });
  web = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>a page</title>'));
  web.listen(0);
  webPort = (web.address() as AddressInfo).port;
  const ids = { traceId: aTraceId(), spanId: aSpanId() };
  const value = JSON.stringify({ secret, story: 'so it goes, '.repeat(1000), image: { mimeType: 'image/png', base64: picture } });
  await gateway.ingest(aRequest([aSpan({ ...ids, name: secret, attributes: { 'input.value': value, 'session.id': secret } })]));
  const score = await gateway.client.scores.create({ body: { resource_id: ids.traceId, name: secret, score: 1 } });
  const { data } = await gateway.client.traces.get({ params: { traceId: ids.traceId }, query: {} });
  const [media = ''] = /\/v1\/viewer\/[^"\\]*\/media\/[0-9a-f]{64}/.exec(data.spans[0]?.input ?? '') ?? [];
  expect(media).not.toBe('');
  const json = ['/v1/traces', `/v1/traces/${ids.traceId}`, '/v1/templates?path=rows.jsonl', '/v1/capabilities', '/health'];
  targets = { url: gateway.url, json, live: '/v1/viewer/live', picture: media, viewer: '/' };
  writes = writesTo(score.id);
  before = await storedData();
});
test.afterAll(async () => {
  web.closeAllConnections();
  web.close();
  await gateway.stop();
  project.remove();
});

const spans = (name: string) => JSON.stringify(aRequest([aSpan({ name, traceId: aTraceId(), spanId: aSpanId() })]));

const writesTo = (scoreId: string): Write[] => [
  { method: 'POST', url: '/v1/traces', body: spans('forged') },
  { method: 'POST', url: '/v1/scores', body: '{"resource_id":"x","name":"forged","score":1}' },
  { method: 'POST', url: '/v1/scores/batch', body: '{"scores":[{"resource_id":"x","name":"forged","score":1}]}' },
  { method: 'POST', url: '/v1/datasets/forged/rows', body: '{"input":"forged"}' },
  { method: 'DELETE', url: `/v1/scores/${scoreId}`, body: '' },
];

/** The data in the store and in the project. */
async function storedData(): Promise<unknown> {
  const { client } = gateway;
  const [traces, spans, scores, datasets] = await Promise.all([
    client.traces.list({ query: {} }),
    client.spans.list({ query: {} }),
    client.scores.list({ query: {} }),
    client.datasets.list({ query: {} }),
  ]);
  return [traces.data, spans.data, scores.data, datasets.data];
}

/** Waits until no request of the page is pending: forms and beacons have no result in the page. */
function watchRequests(page: Page): () => Promise<void> {
  let pending = 0;
  let beacons = 0;
  page.on('request', (request) => {
    pending++;
    if (request.resourceType() === 'ping') beacons++;
  });
  page.on('requestfinished', () => pending--);
  page.on('requestfailed', () => pending--);
  const expectedBeacons = writes.filter(({ method }) => method === 'POST').length * 3;
  return async () => {
    await expect.poll(() => beacons).toBeGreaterThanOrEqual(expectedBeacons);
    await expect.poll(() => pending).toBe(0);
  };
}

const places: { name: string; open(page: Page): Promise<{ from: Page | Frame; url: string }> }[] = [
  { name: 'a page of the internet', open: (page) => openPage(page, `http://evil.example:${webPort}/`, gateway.url) },
  {
    name: 'a page whose name was rebound to this machine',
    open: (page) => openPage(page, `http://a.rebound.example:${gateway.port}/`, `http://a.rebound.example:${gateway.port}`),
  },
  {
    name: 'a page of the internet that asks for another rebound name',
    open: (page) => openPage(page, `http://evil.example:${webPort}/`, `http://b.rebound.example:${gateway.port}`),
  },
  {
    name: 'a page without an origin',
    open: async (page) => {
      await page.goto(`http://localhost:${webPort}/`);
      await page.setContent('<iframe sandbox="allow-scripts allow-forms" srcdoc="<title>nobody</title>"></iframe>');
      const frame = page.frames().find((candidate) => candidate.parentFrame() === page.mainFrame());
      if (!frame) throw new Error('there is no frame');
      return { from: frame, url: gateway.url };
    },
  },
];

async function openPage(page: Page, pageUrl: string, url: string): Promise<{ from: Page; url: string }> {
  await page.goto(pageUrl);
  return { from: page, url };
}

const at = (url: string, list: Write[]): Write[] => list.map((write) => ({ ...write, url: url + write.url }));

/** What a page learned, without unsuccessful attempts and the refusals that rebound pages may read. */
const learned = (found: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(found).filter(
      ([, text]) =>
        !['nothing', 'refused', 'opaque'].includes(text) &&
        !/^(403 )?\{"error":\{"code":"host_not_allowed","message":"[^"]*"\}\}$/.test(text),
    ),
  );

/** The content of a frame; '' when the browser has detached it, as it does for a refused `object`. */
async function contentOf(frame: Frame): Promise<string> {
  try {
    return await frame.content();
  } catch (error) {
    if (frame.isDetached()) return '';
    throw error;
  }
}

for (const { name, open } of places) {
  test(`${name} can read nothing`, async ({ page }) => {
    const { from, url } = await open(page);
    const found = await from.evaluate(tryToRead, { ...targets, url });
    expect(Object.keys(found).length).toBeGreaterThan(50);
    expect(learned(found)).toEqual({});
    for (const frame of page.frames()) expect(await contentOf(frame)).not.toContain(secret);
  });

  test(`${name} can write nothing`, async ({ page }) => {
    const allSettled = watchRequests(page);
    const { from, url } = await open(page);
    const found = await from.evaluate(tryToWrite, at(url, writes));
    await allSettled();
    expect(learned(found)).toEqual({});
    expect(await storedData()).toEqual(before);
  });
}

for (const host of ['localhost', '127.0.0.1']) {
  test(`a page of a development server on ${host} can read nothing`, async ({ page }) => {
    await page.goto(`http://${host}:${webPort}/`);
    expect(learned(await page.evaluate(tryToRead, targets))).toEqual({});
  });

  test(`a page of a development server on ${host} can send spans and read the response, and nothing else`, async ({ page }) => {
    const allSettled = watchRequests(page);
    await page.goto(`http://${host}:${webPort}/`);
    expect(learned(await page.evaluate(tryToWrite, at(gateway.url, writes.slice(1))))).toEqual({});
    const found = await page.evaluate(tryToWrite, at(gateway.url, [{ method: 'POST', url: '/v1/traces', body: spans(`from ${host}`) }]));
    await allSettled();
    const { 'json POST /v1/traces': json, 'text POST /v1/traces': text, ...others } = found;
    expect(json).toMatch(/^200 \{"data":\{"requestId":/);
    expect(text).toMatch(/^415 \{"error":\{"code":"unsupported_media_type"/);
    expect(learned(others)).toEqual({});
    const [tracesBefore, spansBefore, ...rest] = before as [{ name: string }[], { name: string }[]];
    const [traces, all, ...restNow] = (await storedData()) as typeof before & [{ name: string }[], { name: string }[]];
    expect(restNow).toEqual(rest);
    expect([traces.length, all.length]).toEqual([tracesBefore.length + 1, spansBefore.length + 1]);
    expect(traces.map(({ name }) => name)).toContain(`from ${host}`);
    before = await storedData();
  });
}

test('the same attempts succeed for the gateway’s own page, so they would have shown a leak', async ({ page }) => {
  await page.goto(gateway.url);
  const found = await page.evaluate(tryToRead, targets);
  expect(found['fetch /v1/traces']).toContain(secret);
  expect(found['XMLHttpRequest']).toContain(secret);
  expect([found['picture'], found['live events']]).toEqual(['1 wide', 'open']);
  const [score] = at(gateway.url, writes).slice(1);
  const written = await page.evaluate(tryToWrite, score ? [score] : []);
  expect(written['json POST /v1/scores']).toMatch(/^201 /);
});
