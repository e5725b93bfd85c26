/** Requests to addresses from users reach the public internet or nothing. The test intercepts `Socket.connect`, which every library uses. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcp, Socket, type TcpNetConnectOpts } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostileUrls, insideAddresses, publicHost } from '../../fixtures/hostile-urls.ts';
import { Outbound, type Outcome } from './outbound.ts';
import { isPublicAddress } from './public-address.ts';

const post = { method: 'POST', headers: {}, body: '{}' } as const;
const hook = `https://${publicHost}/hook`;
const anyPublic = '93.184.216.34';

/** Hosts that sockets were asked to connect to. No connection is opened. */
let dialled: string[];

function watchSockets(): void {
  dialled = [];
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    dialled.push(String(([args].flat(2)[0] as TcpNetConnectOpts).host));
    setImmediate(() => this.destroy(Object.assign(new Error('No route'), { code: 'ENETUNREACH' })));
    return this;
  } as Socket['connect']);
}

describe('an address that a user gives', () => {
  beforeEach(watchSockets);
  afterEach(() => void vi.restoreAllMocks());

  it('is refused before anything is looked up or opened, in each of more than 400 hostile forms', async () => {
    const lookups: string[] = [];
    const outbound = new Outbound([], async (host) => {
      lookups.push(host);
      return [anyPublic];
    });
    expect(hostileUrls.length).toBeGreaterThan(400);
    expect(hostileUrls.filter((url) => outbound.problemOf(url) === null)).toEqual([]);
    const outcomes = await Promise.all(hostileUrls.map((url) => outbound.send(url, post)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['blocked']));
    expect([lookups, dialled]).toEqual([[], []]);
  });

  it.each(['/', '/hook?a=b%20c#d', ':443/x', ':8443/x'])('may be any on the public internet: %s', async (rest) => {
    const outbound = new Outbound([], async () => [anyPublic]);
    for (const host of [publicHost, 'xn--bcher-kva.ch', '93.184.216.34', '[2606:4700::1111]'])
      expect(outbound.problemOf(`https://${host}${rest}`), host).toBeNull();
    await outbound.send(`https://${publicHost}${rest}`, post);
    expect(dialled).toEqual([anyPublic]);
  });

  it('is not reached when its name resolves to an internal address, alone or among others', async () => {
    for (const inside of insideAddresses) {
      for (const answer of [[inside], [anyPublic, inside], [inside, anyPublic]]) {
        const outcome = await new Outbound([], async () => answer).send(hook, post);
        expect(outcome.kind, answer.join()).toBe('blocked');
      }
    }
    expect(dialled).toEqual([]);
  });

  it('is looked up once for each request, and the socket connects to that address even when the name resolves differently each time', async () => {
    let lookups = 0;
    const answers: string[] = [];
    const outbound = new Outbound([], async () => {
      const answer = ++lookups % 2 === 0 ? (insideAddresses[lookups % insideAddresses.length] as string) : anyPublic;
      answers.push(answer);
      return [answer];
    });
    const outcomes: Outcome[] = [];
    for (let time = 0; time < 1000; time++) outcomes.push(await outbound.send(hook, post));
    expect(lookups).toBe(1000);
    expect(outcomes.map(({ kind }) => kind)).toEqual(answers.map((answer) => (answer === anyPublic ? 'unreachable' : 'blocked')));
    expect(dialled).toHaveLength(500);
    expect(new Set(dialled)).toEqual(new Set([anyPublic]));
  });

  it('that has no address, or none in time, is unreachable', async () => {
    const nobody = new Outbound([], () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })));
    expect(await nobody.send(hook, post)).toEqual({ kind: 'unreachable', why: 'ENOTFOUND' });
    const silent = new Outbound([], () => new Promise(() => {}), 20);
    expect(await silent.send(hook, post)).toEqual({ kind: 'unreachable', why: 'timeout' });
    expect(await new Outbound([], async () => []).send(hook, post)).toMatchObject({ kind: 'blocked' });
    expect(dialled).toEqual([]);
  });
});

it('a socket refuses an internal address by itself, even when the earlier checks accepted it', async () => {
  const outbound = new Outbound([], async () => Object.assign(['127.0.0.1'], { every: () => true }));
  expect(await outbound.send(hook, post)).toEqual({ kind: 'unreachable', why: 'ERR_IP_BLOCKED' });
});

it('every internal address is recognised, and the neighbours of the ranges are public', () => {
  expect(insideAddresses.filter(isPublicAddress)).toEqual([]);
  const neighbours = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '169.253.255.255'];
  const more = [
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2a00::1',
    '2001:200::1',
  ];
  expect([...neighbours, ...more].filter((address) => !isPublicAddress(address))).toEqual([]);
});

describe('a receiver', () => {
  let server: Server;
  let paths: string[];
  let answer: Parameters<typeof createServer>[1];
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = (path = '/', timeoutMs = 120_000) => new Outbound([origin()], undefined, timeoutMs).send(origin() + path, post);

  beforeEach(async () => {
    paths = [];
    server = createServer((request, response) => {
      paths.push(String(request.url));
      answer?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('inside our network is reached when the deployment named its origin, and only that one', async () => {
    answer = (_, response) => response.writeHead(202).end('fine');
    expect(await send('/hook?x=1')).toMatchObject({ kind: 'answered', status: 202, body: Buffer.from('fine'), isWhole: true });
    const other = new Outbound(['http://127.0.0.1:1']);
    expect(await other.send(origin(), post)).toMatchObject({ kind: 'blocked' });
    expect(await new Outbound([origin()]).send(origin().replace('//', '//user:pass@'), post)).toMatchObject({ kind: 'blocked' });
    expect(paths).toEqual(['/hook?x=1']);
  });

  it('cannot redirect the request', async () => {
    for (const [index, url] of [...hostileUrls.slice(0, 100), `${origin()}/again`].entries()) {
      answer = (_, response) => response.writeHead([301, 302, 303, 307, 308][index % 5] as number, { Location: encodeURI(url) }).end();
      expect(await send('/first')).toMatchObject({ kind: 'answered', status: [301, 302, 303, 307, 308][index % 5] });
    }
    expect(new Set(paths)).toEqual(new Set(['/first']));
  });

  it.each([
    ['much', () => Buffer.alloc(1024 * 1024)],
    ['what unpacks to much', () => gzipSync(Buffer.alloc(64 * 1024 * 1024))],
  ])('that answers %s is read to 64 KiB', async (_, body) => {
    answer = (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(body());
    const outcome = await send();
    expect(outcome).toMatchObject({ kind: 'answered', isWhole: body().length <= 65_536 });
    expect(outcome.kind === 'answered' && outcome.body.length).toBe(Math.min(65_536, body().length));
  });

  it('that answers without end is cut off at 64 KiB, and one that answers too slowly at the time limit', async () => {
    answer = (_, response) => {
      const more = () => void (response.destroyed || response.write('x'.repeat(4096), () => setImmediate(more)));
      more();
    };
    expect(await send()).toMatchObject({ kind: 'answered', isWhole: false });
    answer = (_, response) => void response.write('x');
    expect(await send('/', 50)).toEqual({ kind: 'unreachable', why: 'timeout' });
    answer = () => {};
    expect(await send('/', 50)).toEqual({ kind: 'unreachable', why: 'timeout' });
  });

  it('that floods us with headers, or speaks no HTTP, is unreachable', async () => {
    answer = (_, response) =>
      response.writeHead(200, Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`X-${i}`, 'y'.repeat(1000)]))).end();
    expect(await send()).toEqual({ kind: 'unreachable', why: 'HPE_HEADER_OVERFLOW' });
    answer = (request) => void request.socket.end('220 smtp.example ready\r\n');
    expect((await send()).kind).toBe('unreachable');
  });

  it('is disconnected at once when the gateway stops', async () => {
    const stop = new AbortController();
    answer = () => stop.abort();
    expect((await new Outbound([origin()]).send(origin(), post, stop.signal)).kind).toBe('unreachable');
  });

  it('that has no certificate receives nothing of the request', async () => {
    const received: Buffer[] = [];
    const plain = createTcp((socket) =>
      socket.on('error', () => {}).on('data', (data) => received.push(data) && socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    );
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    const outcome = await new Outbound([url]).send(url, { ...post, body: 'the secret' });
    plain.close();
    expect(outcome.kind).toBe('unreachable');
    expect(Buffer.concat(received).includes('the secret')).toBe(false);
  });
});
