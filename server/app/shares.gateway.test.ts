/** How much of a gateway one caller may use at a time, over real connections to a real cloud with small shares. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest, aSpan } from '../../shared/fixtures/otlp.ts';
import { openSocket, type RawSocket, requestText } from '../fixtures/raw-socket.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../fixtures/test-cloud.ts';
import { ClientAddresses } from '../identity/client-addresses.ts';
import type { ShareTable } from '../limits/share-table.ts';
import type { GatewayState } from '../platform/observer.ts';

const share = { all: 8, perNetwork: 6, perTenant: 4, perLogin: 3 };
const table: ShareTable = {
  connections: { all: 40, perNetwork: 30, silent: 16, silentPerNetwork: 8 },
  streams: { all: 12, perNetwork: 10, perTenant: 6, perLogin: 3 },
  ingest: share,
  requests: share,
};
const proxy = '127.0.0.2';
let cloud: TestCloud;
let other: TestTenant;
let state: GatewayState;
beforeAll(async () => {
  cloud = await startTestCloud({
    shares: table,
    clients: new ClientAddresses([proxy]),
    observers: [{ answered: () => {}, started: (started) => (state = started) }],
  });
  other = await cloud.addTenant('other');
});
afterAll(() => cloud.stop());

const retryAfter = expect.stringMatching(/^[1-5]$/);
const head = (line: string, { api_key, app_id }: Pick<TestTenant, 'api_key' | 'app_id'>, more: string[] = []) =>
  requestText(line, [`Host: localhost:${cloud.gateway.port}`, `Authorization: ${api_key}`, `X-Service-App-Id: ${app_id}`, ...more]);

/** Resolves with a connection when it is open. @param from the local address that it comes from */
async function silent(from = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: cloud.gateway.port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {}).resume();
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

const outputOf = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let output = '';
    socket.on('data', (chunk) => (output += chunk));
    socket.once('close', () => resolve(output));
  });

/** Status of an ingest request, which must succeed whatever else goes on. */
const ingestStatus = async (tenant = other): Promise<number> => (await cloud.ingest(tenant, aRequest([aSpan()]))).status;

const cutAll = async (sockets: (Socket | RawSocket)[]) => {
  for (const socket of sockets)
    if ('cut' in socket) socket.cut();
    else socket.destroy();
  // The gateway answers again once it has noticed that they are closed.
  while ((await cloud.fetch('/health')).status !== 200);
};

async function follow(caller: { authorization: string; app_id: string }, from?: string) {
  const headers = { Authorization: caller.authorization, 'X-Service-App-Id': caller.app_id, ...(from ? { 'X-Forwarded-For': from } : {}) };
  const stopping = new AbortController();
  const answer = await cloud.fetch('/v1/viewer/live', { headers, signal: stopping.signal });
  return { answer, stop: () => stopping.abort() };
}
const login = async ({ email, password }: TestTenant) =>
  `Bearer ${(await cloud.as(null).auth.login({ body: { email, password } })).data.token}`;

describe('live streams', () => {
  it('of one login, of one tenant and of all have their shares; beyond them the answer is a 429 with Retry-After', async () => {
    const { tenant } = cloud;
    const open: (() => void)[] = [];
    const firstLogin = { authorization: `Bearer ${tenant.token}`, app_id: tenant.app_id };
    for (let number = 0; number < 3; number++) {
      const { answer, stop } = await follow(firstLogin);
      expect(answer.status).toBe(200);
      open.push(stop);
    }
    expect(state.inFlight().get('streams')).toBe(3);
    const refused = await follow(firstLogin);
    expect(state.shareRefusals().get('streams')).toBe(1);
    expect([refused.answer.status, refused.answer.headers.get('Retry-After')]).toEqual([429, retryAfter]);
    expect(await refused.answer.json()).toMatchObject({
      error: { code: 'rate_limit_exceeded', message: expect.stringContaining('This login') },
    });

    const secondLogin = { authorization: await login(tenant), app_id: tenant.app_id };
    for (let number = 0; number < 3; number++) open.push((await follow(secondLogin)).stop);
    const thirdLogin = { authorization: await login(tenant), app_id: tenant.app_id };
    expect(await (await follow(thirdLogin)).answer.json()).toMatchObject({ error: { message: expect.stringContaining('Your team') } });

    const otherTenant = await follow({ authorization: `Bearer ${other.token}`, app_id: other.app_id });
    expect(otherTenant.answer.status).toBe(200);
    otherTenant.stop();
    for (const stop of open) stop();
    // A closed stream frees its slot.
    await expect
      .poll(async () => {
        const { answer, stop } = await follow(firstLogin);
        stop();
        return answer.status;
      })
      .toBe(200);
  });
});

describe('connections', () => {
  it('without a request are closed in favour of new ones, the oldest first, and keep nobody out', async () => {
    const sockets: Socket[] = [];
    const first = await silent();
    const firstOutput = outputOf(first);
    for (let number = 0; number < 100; number++) sockets.push(await silent());
    expect(await firstOutput).toContain('408 Request Timeout');
    expect(await ingestStatus()).toBe(200);
    expect((await cloud.fetch('/v1/scores/names')).status).toBe(401);
    const openSockets = () => sockets.filter(({ destroyed }) => !destroyed).length;
    await expect.poll(openSockets).toBeLessThanOrEqual(table.connections.silent);
    await cutAll(sockets);
  });

  it('that wait for their next request make room, the one that waited longest first', async () => {
    const sockets: RawSocket[] = [];
    for (let number = 0; number < 100; number++) {
      const socket = openSocket(cloud.gateway.port);
      socket.write(requestText('GET /health', ['Host: x']));
      expect((await socket.answer())?.status).toBe(200);
      sockets.push(socket);
    }
    await sockets[0]?.closed;
    expect(await ingestStatus()).toBe(200);
    await cutAll(sockets);
  });

  it('through a trusted proxy are not counted as those of one address', async () => {
    const sockets = await Promise.all(Array.from({ length: 14 }, () => silent(proxy)));
    // After two turns of its event loop the gateway has closed what it would close.
    for (let turn = 0; turn < 2; turn++) await cloud.fetch('/health');
    expect(sockets.filter(({ readyState }) => readyState === 'open')).toHaveLength(14);
    await cutAll(sockets);
  });
});

describe('requests that wait for their answers', () => {
  const openRequests = async (count: number, line: string, caller: Pick<TestTenant, 'api_key' | 'app_id'>, from: string) => {
    const sockets: RawSocket[] = [];
    for (let number = 0; number < count; number++) {
      const socket = openSocket(cloud.gateway.port);
      socket.write(
        head(line, caller, ['Content-Type: application/json', 'Content-Length: 100', 'Expect: 100-continue', `X-Forwarded-For: ${from}`]),
      );
      expect((await socket.answer())?.status).toBe(100);
      sockets.push(socket);
    }
    return sockets;
  };

  it('never take the share of ingest', async () => {
    const open = await openRequests(3, 'POST /v1/traces/search', cloud.tenant, '203.0.113.1');
    const excess = openSocket(cloud.gateway.port);
    excess.write(head('POST /v1/traces/search', cloud.tenant, ['Content-Type: application/json', 'Content-Length: 2']));
    excess.write('{}');
    const answer = await excess.answer();
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([429, retryAfter]);
    expect(await ingestStatus(cloud.tenant)).toBe(200);
    expect(await ingestStatus()).toBe(200);
    await cutAll(open);
  });

  it('of one ingest key are refused beyond its share, in the encoding of the sender, and others are served', async () => {
    const open = await openRequests(3, 'POST /v1/traces', cloud.tenant, '203.0.113.1');
    const excess = openSocket(cloud.gateway.port);
    excess.write(head('POST /v1/traces', cloud.tenant, ['Content-Type: application/x-protobuf', 'Content-Length: 0']));
    const answer = await excess.answer();
    expect([answer?.status, answer?.headers.get('content-type'), answer?.headers.get('retry-after')]).toEqual([
      ...[429, 'application/x-protobuf', retryAfter],
    ]);
    expect(answer?.body).toContain('rate_limit_exceeded: This key');
    expect(await ingestStatus()).toBe(200);
    await cutAll(open);
  });

  it('of one network are refused beyond its share before authentication, with a complete answer to a body that is being sent', async () => {
    const open = await openRequests(3, 'POST /v1/traces', cloud.tenant, '203.0.113.1');
    open.push(...(await openRequests(3, 'POST /v1/traces', other, '203.0.113.1')));
    const excess = openSocket(cloud.gateway.port);
    excess.write(requestText('POST /v1/traces', ['Host: x', 'Content-Type: application/json', `Content-Length: ${2 ** 22}`]));
    excess.write(Buffer.alloc(2 ** 22, ' '));
    const answer = await excess.answer();
    expect([answer?.status, answer?.headers.get('retry-after'), answer?.headers.get('connection')]).toEqual([503, retryAfter, 'close']);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: { code: 'service_unavailable' } });
    expect((await cloud.fetch('/health')).status).toBe(200);
    await cutAll(open);
  });
});
