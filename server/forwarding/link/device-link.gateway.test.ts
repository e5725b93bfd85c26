/** Links to a real cloud over HTTP, through a proxy that forwards requests or simulates network failures. The test advances the time. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aChat, aRequest } from '../../../shared/fixtures/otlp.ts';
import { freePort } from '../../fixtures/free-port.ts';
import { selfSigned } from '../../fixtures/self-signed.ts';
import { testClock } from '../../fixtures/test-clock.ts';
import { startTestCloud, type TestCloud } from '../../fixtures/test-cloud.ts';
import { startTestGateway } from '../../fixtures/test-gateway.ts';
import { type DeviceLink, startDeviceLink } from './device-link.ts';
import { LinkError } from './link-error.ts';

let now = Date.now();
const clock = testClock(() => now);
let cloud: TestCloud;
let proxy: string;
let weather: (response: ServerResponse, pass: () => Promise<void>) => unknown;
const pass: typeof weather = (_, through) => through();
const servers: Server[] = [];
const links: DeviceLink[] = [];

beforeAll(async () => {
  cloud = await startTestCloud({ clock });
});
beforeEach(async () => {
  // The limit of attempts is per minute.
  now += 60_000;
  weather = pass;
  rests.length = 0;
  proxy = await serve(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { method = '', url = '' } = request;
    await weather(response, async () => {
      const answer = await cloud.fetch(url, { method, headers: { 'Content-Type': 'application/json' }, body: Buffer.concat(parts) });
      const body = await answer.text();
      if (!response.destroyed) response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
    });
  });
});
afterEach(async () => {
  for (const link of links.splice(0)) link.cancel();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});
afterAll(() => cloud.stop());

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Rest {
  ms: number;
  wake(): void;
}
const rests: Rest[] = [];
let rested = () => {};

/** Time that only the test advances. */
const rest = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
    rests.push({ ms, wake: resolve });
    rested();
  });

/** Waits until the link has sent a request and sleeps. */
async function atRest(): Promise<void> {
  while (rests.length === 0) await new Promise<void>((resolve) => (rested = resolve));
}

/** Ends the sleep, and returns its planned duration in seconds. @param goes how far the time advances; absent: the whole duration */
async function letRest(goes?: number): Promise<number> {
  await atRest();
  const { ms, wake } = rests.shift() as Rest;
  now += goes ?? ms;
  wake();
  return ms / 1000;
}

async function start(url = proxy): Promise<DeviceLink> {
  const link = await startDeviceLink(url, { machine_name: 'laptop', clock, sleep: rest });
  links.push(link);
  return link;
}

async function agree({ user_code }: DeviceLink): Promise<void> {
  await atRest();
  await cloud.tenant.owner.deviceSignIn.approve({ body: { user_code, environment_name: 'dev' } });
}

const problemOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error) => (error instanceof LinkError ? error.problem : String(error)),
  );

describe('a link', () => {
  it('shows a code, polls at the given interval, and ends with a valid key', async () => {
    const link = await start();
    expect(link.user_code).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    expect(link.verification_url).toBe(`${cloud.url}/#/link?code=${link.user_code}`);
    expect(Date.parse(link.expires_at)).toBe(now + 600_000);
    expect([await letRest(), await letRest()]).toEqual([5, 5]);
    await agree(link);
    expect(await letRest()).toBe(5);
    const { app_id } = cloud.tenant;
    const linked = await link.finished;
    expect(linked).toEqual({
      ...{ url: proxy, key: expect.stringMatching(/^sk_service_/), app_id },
      ...{ app_name: 'default', tenant_name: 'acme', environment: 'dev' },
    });
    expect((await cloud.ingest({ api_key: linked.key, app_id }, aRequest([aChat()]))).status).toBe(200);
  });

  it('polls less often after `slow_down`', async () => {
    const link = await start();
    expect([await letRest(), await letRest(0), await letRest(), await letRest()]).toEqual([5, 5, 10, 10]);
    await agree(link);
    await letRest();
    expect(await link.finished).toMatchObject({ environment: 'dev' });
  });

  it('ends when it is denied', async () => {
    const link = await start();
    await cloud.tenant.owner.deviceSignIn.deny({ body: { user_code: link.user_code } });
    await letRest();
    expect(await problemOf(link.finished)).toBe('denied');
  });

  it('ends when it expires, with or without an answer', async () => {
    for (const answers of [pass, (response: ServerResponse) => response.destroy()]) {
      weather = pass;
      const link = await start();
      weather = answers;
      while (now < Date.parse(link.expires_at)) await letRest();
      expect(await problemOf(link.finished)).toBe('expired');
    }
  });

  it('stops polling when it is cancelled, during a wait or a request', async () => {
    const resting = await start();
    resting.cancel();
    expect(await problemOf(resting.finished)).toBe('cancelled');
    rests.length = 0;
    const asking = await start();
    const asked = new Promise<void>((resolve) => {
      weather = () => resolve();
    });
    void letRest();
    await asked;
    asking.cancel();
    expect([await problemOf(asking.finished), rests.length]).toEqual(['cancelled', 0]);
  });

  const page = '<!doctype html><title>Sign in to the hotel</title>';
  const failures: [string, typeof weather][] = [
    ['a reset', (response) => response.destroy()],
    ['a page of the hotel', (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)],
    ['a page that calls itself JSON', (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(page)],
    ['another shape', (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"data":{"status":"linked"}}')],
    ['a redirect', (response) => response.writeHead(307, { Location: 'http://127.0.0.1:9/' }).end()],
    ['an overload', (response) => response.writeHead(503, { 'Retry-After': '30' }).end()],
    ['too much', (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(`"${'x'.repeat(1 << 20)}"`)],
  ];

  it('survives network failures and polls less often meanwhile', async () => {
    const link = await start();
    const waits: number[] = [];
    for (const [, failure] of failures) {
      await atRest();
      weather = failure;
      waits.push(await letRest());
    }
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    await agree(link);
    weather = pass;
    waits.push(await letRest());
    expect(await link.finished).toMatchObject({ tenant_name: 'acme' });
    expect(Math.max(...waits)).toBeLessThanOrEqual(60);
  });

  it('a key whose answer was lost is not sent again', async () => {
    const link = await start();
    await agree(link);
    weather = async (response, through) => {
      response.end = (() => response.destroy()) as never;
      await through();
    };
    await letRest();
    await atRest();
    weather = pass;
    await letRest();
    expect(await problemOf(link.finished)).toBe('expired');
  });
});

describe('is not started', () => {
  it.each(['http://glasshouse.example', 'ftp://a.example', 'nonsense', 'https://user:word@a.example', 'https://a.example/?x=1', ''])(
    'with %j, and nothing is sent',
    async (url) => {
      expect(await problemOf(start(url))).toBe('address');
    },
  );

  it('after a redirect, whose target receives nothing', async () => {
    let heard = 0;
    const elsewhere = await serve((_, response) => {
      heard++;
      response.end();
    });
    for (const status of [301, 302, 303, 307, 308]) {
      weather = (response) => response.writeHead(status, { Location: `${elsewhere}/v1/auth/device` }).end();
      expect(await problemOf(start())).toBe('elsewhere');
    }
    expect(heard).toBe(0);
  });

  it('when no Glasshouse answers', async () => {
    weather = (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>hello');
    expect(await problemOf(start())).toBe('no_glasshouse');
    weather = (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(`"${'x'.repeat(1 << 20)}"`);
    expect(await problemOf(start())).toBe('no_glasshouse');
    const local = await startTestGateway();
    expect(await problemOf(start(local.url))).toBe('no_glasshouse');
    await local.stop();
    expect(await problemOf(start(`http://127.0.0.1:${await freePort()}`))).toBe('unreachable');
    weather = (response) => response.writeHead(429, { 'Content-Type': 'application/json' }).end('{}');
    expect(await problemOf(start())).toBe('too_often');
  });

  it('when the certificate is not valid', async () => {
    const server = createTlsServer(selfSigned(), (_, response) => response.end());
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await problemOf(start(`https://127.0.0.1:${(server.address() as AddressInfo).port}`))).toBe('untrusted');
  });

  const begun = { device_code: 'd', user_code: 'BCDF-GHJK', verification_uri: 'x', expires_in: 600, interval: 5 };
  it.each([
    ['leads a browser astray', { verification_uri_complete: 'javascript:alert(1)' }],
    ['leads it to a plain page elsewhere', { verification_uri_complete: 'http://elsewhere.example/#/link' }],
    ['shows more than a code', { verification_uri_complete: 'https://a.example/', user_code: 'call +1 555 0100' }],
    ['would be asked for ever', { verification_uri_complete: 'https://a.example/', expires_in: 1e9 }],
    ['would be asked without rest', { verification_uri_complete: 'https://a.example/', interval: 0 }],
  ])('with a cloud that %s', async (_, said) => {
    weather = (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data: { ...begun, ...said } }));
    expect(await problemOf(start())).toBe('no_glasshouse');
  });
});

it('a malformed key is refused', async () => {
  const link = await start();
  const { app_id } = cloud.tenant;
  const said = { status: 'linked', key: 'two\r\nX-Lines: 1', app_id, app_name: 'a', tenant_name: 't', environment: 'e' };
  weather = (response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ data: said }));
  await letRest();
  expect(await problemOf(link.finished)).toBe('no_glasshouse');
});
