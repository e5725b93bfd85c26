/** The cloud behind a real nginx: everything works with `deploy/nginx.conf`, and live streams work with nginx's defaults. */
import { once } from 'node:events';
import { request } from 'node:https';
import { expect, type Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { freePort } from '../server/fixtures/free-port.ts';
import { startTestCloud, type TestCloud } from '../server/fixtures/test-cloud.ts';
import { ClientAddresses } from '../server/identity/client-addresses.ts';
import { aRequest, aSpan } from '../shared/fixtures/otlp.ts';
import { enter } from './cloud-page.ts';
import { test } from './journey.ts';
import { type Nginx, startSampleNginx, startStockNginx } from './nginx.ts';

test.use({ ignoreHTTPSErrors: true });

let cloud: TestCloud;
let sample: Nginx;
let stock: Nginx;
let secureUrl: string;
let stockUrl: string;
let plainPort: number;
test.beforeAll(async () => {
  const [port, stockPort] = [await freePort(), await freePort()];
  plainPort = await freePort();
  secureUrl = `https://127.0.0.1:${port}`;
  stockUrl = `http://127.0.0.1:${stockPort}`;
  cloud = await startTestCloud({ publicUrl: secureUrl, clients: new ClientAddresses(['127.0.0.1']) });
  sample = await startSampleNginx(cloud.gateway.port, port, plainPort);
  stock = await startStockNginx(cloud.gateway.port, stockPort);
});
test.afterAll(async () => {
  await sample.stop();
  await stock.stop();
  await cloud.stop();
});

const keyHeaders = () => ({ Authorization: cloud.tenant.api_key, 'X-Service-App-Id': cloud.tenant.app_id });

/** Posts over TLS with a self-signed certificate. */
async function post(path: string, body: string): Promise<number | undefined> {
  const headers = { ...keyHeaders(), 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const outgoing = request(secureUrl + path, { method: 'POST', headers, rejectUnauthorized: false });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

async function expectNewTraces(page: Page, url: string, name: string): Promise<void> {
  await cloud.ingest(cloud.tenant, aRequest([aSpan({ name: `${name} from before` })]));
  await enter(page, url, cloud.tenant);
  await expect(page.getByText(`${name} from before`).first()).toBeVisible();
  await cloud.ingest(cloud.tenant, aRequest([aSpan({ name: `${name} of now` })]));
  await expect(page.getByText(`${name} of now`).first()).toBeVisible();
}

test.describe('with deploy/nginx.conf', () => {
  test('new traces appear by themselves, over TLS', async ({ page }) => {
    await expectNewTraces(page, secureUrl, 'a trace by TLS');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ secure: true, httpOnly: true });
  });

  test('a body of 15 MB is accepted', async () => {
    const spans = Array.from({ length: 15 }, () => aSpan({ attributes: { 'input.value': 'x'.repeat(1024 * 1024) } }));
    const body = JSON.stringify(aRequest(spans));
    expect(body.length).toBeGreaterThan(15_000_000);
    expect(await post('/v1/traces', body)).toBe(200);
  });

  test('a body over the limit is answered with 413 by the gateway', async () => {
    expect(await post('/v1/traces', ' '.repeat(21 * 1024 * 1024))).toBe(413);
  });

  test('a worker connects', async () => {
    const headers = { ...keyHeaders(), Authorization: `Bearer ${cloud.tenant.api_key}` };
    const socket = new WebSocket(`${secureUrl.replace('https', 'wss')}/v1/connect`, { headers, rejectUnauthorized: false });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'heartbeat', timestamp: new Date().toISOString() }));
    const [answer] = await once(socket, 'message');
    expect(JSON.parse(String(answer))).toMatchObject({ type: 'heartbeat-ack' });
    socket.close();
    await once(socket, 'close');
  });

  test('a request without TLS is redirected to TLS', async () => {
    const answer = await fetch(`http://127.0.0.1:${plainPort}/v1/traces?limit=1`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('Location')]).toEqual([301, 'https://127.0.0.1/v1/traces?limit=1']);
  });
});

test.describe('with the defaults of nginx', () => {
  test('the live stream starts at once and reports commits', async () => {
    const { body, status } = await fetch(`${stockUrl}/v1/viewer/live`, { headers: keyHeaders() });
    expect([status, body === null]).toEqual([200, false]);
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('retry: 1000');
    await cloud.ingest(cloud.tenant, aRequest([aSpan()]));
    // Events of other kinds, such as the count of requests, may come first.
    let text = '';
    while (!text.includes('trace_ids')) text += (await reader?.read())?.value ?? '';
    await reader?.cancel();
  });
});
