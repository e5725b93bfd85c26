/** The WebSocket of workers over real HTTP: who is accepted, in which order requests are refused, whose connection it is, and when it ends. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyPermissions } from '../../../shared/contract/identity/permissions.ts';
import { openSqliteControl } from '../../control/sqlite/open.ts';
import { connectWorker, shake, upgradeHeaders } from '../../fixtures/a-worker.ts';
import { startTestCloud, type TestCloud, type TestTenant } from '../../fixtures/test-cloud.ts';
import { startTestGateway } from '../../fixtures/test-gateway.ts';
import { digestOf } from '../../identity/key-value.ts';

let cloud: TestCloud;
let revoked: string;
let weak: string;
let unbound: string;

const keyOf = async ({ owner }: TestTenant, name: string, may: readonly string[] = keyPermissions) =>
  (await owner.apiKeys.create({ body: { name, permissions: [...may] as never } })).data;

beforeAll(async () => {
  const boundToNone = new Set<string>();
  cloud = await startTestCloud({
    openControl: (dataDir, clock) => {
      const control = openSqliteControl(dataDir, clock);
      const findByDigest: typeof control.keys.findByDigest = async (digest) => {
        const key = await control.keys.findByDigest(digest);
        // No route creates such a key, but a later store may contain some.
        return key && boundToNone.has(Buffer.from(digest).toString('hex')) ? { ...key, scope: { ...key.scope, app_id: '' } } : key;
      };
      return { ...control, keys: { ...control.keys, findByDigest } };
    },
  });
  const { data } = await cloud.tenant.owner.apiKeys.create({ body: { name: 'revoked', permissions: [...keyPermissions] } });
  revoked = data.plaintext_key;
  await cloud.tenant.owner.apiKeys.revoke({ params: { apiKeyId: data.id } });
  weak = (await keyOf(cloud.tenant, 'weak', ['trace.write', 'worker.read'])).plaintext_key;
  unbound = (await keyOf(cloud.tenant, 'unbound')).plaintext_key;
  boundToNone.add(Buffer.from(digestOf(unbound)).toString('hex'));
});
afterAll(() => cloud.stop());

describe('the handshake', () => {
  const bearer = (key: string) => ({ ...upgradeHeaders, authorization: `Bearer ${key}` });
  const without = (name: string, headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));
  const full = () => bearer(cloud.tenant.api_key);
  const foreign = { origin: 'https://page.example' };

  it.each<[what: string, headers: () => Record<string, string>, status: number, code: string | null]>([
    ['nothing at all', () => ({}), 426, 'not_implemented'],
    ['no Upgrade, with a good key', () => ({ authorization: `Bearer ${cloud.tenant.api_key}` }), 426, 'not_implemented'],
    ['an Upgrade to something else', () => ({ ...full(), upgrade: 'h2c' }), 426, 'not_implemented'],
    ['no Connection: Upgrade', () => without('connection', full()), 426, 'not_implemented'],
    ['no Upgrade comes before a revoked key', () => ({ authorization: `Bearer ${revoked}` }), 426, 'not_implemented'],
    ['an old version of the protocol', () => ({ ...full(), 'sec-websocket-version': '8' }), 426, 'not_implemented'],
    ['no key of the handshake', () => without('sec-websocket-key', full()), 400, 'invalid_headers'],
    ['a wrong key of the handshake', () => ({ ...full(), 'sec-websocket-key': 'short' }), 400, 'invalid_headers'],
    ['no key', () => upgradeHeaders, 401, 'unauthorized'],
    ['an unknown key', () => bearer(`sk_service_${'0'.repeat(48)}`), 401, 'unauthorized'],
    ['garbage', () => bearer('garbage'), 401, 'unauthorized'],
    ['the key without Bearer', () => ({ ...upgradeHeaders, authorization: cloud.tenant.api_key }), 401, 'unauthorized'],
    ['a login', () => bearer(cloud.tenant.token), 401, 'unauthorized'],
    ['a login in a cookie', () => ({ ...upgradeHeaders, cookie: `glasshouse_session=${cloud.tenant.token}` }), 401, 'unauthorized'],
    ['another app in the header', () => ({ ...full(), 'x-service-app-id': crypto.randomUUID() }), 401, 'unauthorized'],
    ['no key, from a foreign page', () => ({ ...upgradeHeaders, ...foreign }), 401, 'unauthorized'],
    ['a revoked key', () => bearer(revoked), 403, 'forbidden'],
    ['a key that may not connect', () => bearer(weak), 403, 'forbidden'],
    ['a good key from a foreign page', () => ({ ...full(), ...foreign }), 403, 'forbidden'],
    ['a key without an app', () => bearer(unbound), 400, 'missing_required_field'],
    ['an unknown language', () => ({ ...full(), 'x-service-language': 'cobol' }), 400, 'invalid_headers'],
    ['a good key', full, 101, null],
    ['a good key, from our own page', () => ({ ...full(), origin: cloud.url }), 101, null],
    ['a subprotocol, even one that is badly written', () => ({ ...full(), 'sec-websocket-protocol': ',a,,a' }), 101, null],
    ['with the app in the header', () => ({ ...full(), 'x-service-app-id': cloud.tenant.app_id }), 101, null],
    ['all headers of a worker', () => ({ ...full(), 'x-service-language': 'python', 'x-service-adapter': 'x' }), 101, null],
  ])('%s', async (_, headers, status, code) => {
    const response = await shake(cloud.url, headers());
    expect([response.status, response.error?.['code'] ?? null]).toEqual([status, code]);
    if (status === 101) return;
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(typeof response.error?.['message']).toBe('string');
    if (status === 426) expect(response.headers['upgrade']).toBe('websocket');
  });

  it('a refused connection is closed, whether the client closes it or not', async () => {
    const socket = connect({ port: Number(new URL(cloud.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {});
    const lines = Object.entries({ host: new URL(cloud.url).host, ...upgradeHeaders }).map((pair) => pair.join(': '));
    socket.write(`GET /v1/connect HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const ended = once(socket, 'end');
    const [head] = (await once(socket, 'data')) as [Buffer];
    expect(head.toString()).toContain('401');
    socket.resume();
    await ended;
    // Writing fails once the gateway has closed the connection.
    while (!socket.destroyed) await new Promise((resolve) => socket.write('x', resolve));
  });

  it('another path that is asked for a socket answers as usual', async () => {
    const health = await shake(cloud.url, upgradeHeaders, '/health');
    const nowhere = await shake(cloud.url, upgradeHeaders, '/v1/nowhere');
    expect([health.status, nowhere.status, nowhere.error?.['code']]).toEqual([200, 404, 'not_found']);
  });

  it('no compression is negotiated, whatever is offered', async () => {
    const { headers } = await shake(cloud.url, { ...full(), 'sec-websocket-extensions': 'permessage-deflate' });
    expect(headers['sec-websocket-extensions']).toBeUndefined();
  });

  it('a local gateway answers 501, with and without Upgrade', async () => {
    const local = await startTestGateway();
    for (const headers of [{}, upgradeHeaders]) {
      const { status, error } = await shake(local.url, headers);
      expect([status, error?.['code']]).toEqual([501, 'not_available_locally']);
    }
    const page = await shake(local.url, { ...upgradeHeaders, origin: 'https://page.example' });
    expect([page.status, page.error?.['code']]).toEqual([403, 'origin_not_allowed']);
    await local.stop();
  });
});

describe('the connection', () => {
  it('ends with its key, within two seconds, and is refused from then on', async () => {
    const { id, plaintext_key } = await keyOf(cloud.tenant, 'short-lived');
    const worker = await connectWorker(cloud.url, plaintext_key);
    await cloud.tenant.owner.apiKeys.revoke({ params: { apiKeyId: id } });
    expect(await worker.closed).toEqual({ code: 1008, reason: 'The key is no longer valid' });
    const after = await shake(cloud.url, { ...upgradeHeaders, authorization: `Bearer ${plaintext_key}` });
    expect(after.status).toBe(403);
  });

  it('ends with its app', async () => {
    const { id } = (await cloud.tenant.owner.apps.create({ body: { name: 'doomed' } })).data;
    const { plaintext_key } = await keyOf({ ...cloud.tenant, owner: cloud.as(cloud.tenant.token, id) }, 'of the doomed');
    const worker = await connectWorker(cloud.url, plaintext_key);
    await cloud.tenant.owner.apps.remove({ params: { appId: id } });
    expect((await worker.closed).code).toBe(1008);
  });

  it('of one app does not replace that of another', async () => {
    const other = await cloud.addTenant('neighbour');
    const [ours, theirs] = [await connectWorker(cloud.url, cloud.tenant.api_key), await connectWorker(cloud.url, other.api_key)];
    for (const worker of [ours, theirs]) {
      worker.say({ type: 'heartbeat' });
      await worker.next('heartbeat-ack');
      worker.socket.close();
      await worker.closed;
    }
  });

  it('is closed with 1012 when the gateway stops, and can be opened again after a restart', async () => {
    const worker = await connectWorker(cloud.url, cloud.tenant.api_key);
    await cloud.restart();
    expect(await worker.closed).toEqual({ code: 1012, reason: 'Service restart' });
    const again = await connectWorker(cloud.url, cloud.tenant.api_key);
    again.say({ type: 'heartbeat' });
    await again.next('heartbeat-ack');
    again.socket.terminate();
    await once(again.socket, 'close');
  });
});
