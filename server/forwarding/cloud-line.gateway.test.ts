import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { selfSigned } from '../fixtures/self-signed.ts';
import { CloudLine, problemOfAddress } from './cloud-line.ts';
import { identityAt } from './examine.ts';
import { verdictOf } from './verdict.ts';

const key = 'a-key-that-must-stay-here';
const body = gzipSync('{}');
const servers: Server[] = [];
const lines: CloudLine[] = [];

afterEach(async () => {
  for (const line of lines.splice(0)) line.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function lineTo(url: string, timeoutMs = 120_000): CloudLine {
  const line = new CloudLine({ url, key, appId: 'app', timeoutMs });
  lines.push(line);
  return line;
}

const post = (url: string, timeoutMs?: number) => lineTo(url, timeoutMs).post('/v1/traces', body, 'here:1-2');
const judged = async (url: string) => verdictOf(await post(url), 'spans', Date.now());

describe('what is sent', () => {
  it('is the whole body, with the key and the name of the batch', async () => {
    const received: object[] = [];
    const url = await serve(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
      received.push({ ...request.headers, path: request.url, body: Buffer.concat(parts).equals(body) });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
    expect(await judged(url)).toMatchObject({ do: 'advance' });
    expect(received).toMatchObject([
      {
        authorization: key,
        'x-service-app-id': 'app',
        'x-service-batch': 'here:1-2',
        'content-encoding': 'gzip',
        path: '/v1/traces',
        body: true,
      },
    ]);
  });
});

describe('a server that is not the cloud', () => {
  it('a captive portal of a network accepts nothing', async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Please sign in</html>'));
    expect(await judged(url)).toMatchObject({ do: 'wait', why: 'portal' });
  });

  it.each([301, 302, 303, 307, 308])('a redirect is not followed, and no other server receives the key: %i', async (status) => {
    let isHeard = false;
    const elsewhere = await serve((_, response) => {
      isHeard = true;
      response.end();
    });
    const url = await serve((_, response) => response.writeHead(status, { Location: `${elsewhere}/v1/traces` }).end());
    expect(await judged(url)).toMatchObject({ do: 'pause', reason: 'address' });
    expect(isHeard).toBe(false);
  });

  it('a server with a self-signed certificate receives neither key nor batch', async () => {
    let isHeard = false;
    const server = createTlsServer(selfSigned(), () => (isHeard = true));
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(await judged(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject({
      do: 'pause',
      reason: 'certificate',
    });
    expect(isHeard).toBe(false);
  });
});

it.each([
  ['https://team.example/glasshouse/', 'https://team.example/glasshouse'],
  ['http://team.example', null],
  ['javascript:alert(1)//https://', null],
  [undefined, null],
])('a cloud tells where its viewer is opened: %s', async (published, viewer_url) => {
  const url = await serve((_, response) => response.end(JSON.stringify({ url: published, installation: 'theirs' })));
  expect(await identityAt(lineTo(url), url, 'ours')).toEqual({ installation: 'theirs', viewer_url });
});

describe('the answer', () => {
  it('is read up to 64 KiB and for a limited time', async () => {
    let written = 0;
    const url = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const more = () => {
        while (written < 64 * 1024 * 1024 && response.writable) {
          written += 65_536;
          if (!response.write(' '.repeat(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    expect(await post(url)).toMatchObject({ kind: 'answered', isWhole: false });
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it('a refused connection, a closed one and a timeout are all unreachable', async () => {
    const mute = createTcpServer(() => {});
    const rude = createTcpServer((socket) => socket.destroy());
    for (const server of [mute, rude]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    const urlOf = (server: typeof mute) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await post(urlOf(mute), 300)).toEqual({ kind: 'unreachable', why: 'timeout' });
    expect(await post(urlOf(rude))).toEqual({ kind: 'unreachable', why: 'ECONNRESET' });
    const closedUrl = urlOf(rude);
    for (const server of [mute, rude]) server.close();
    await Promise.all([mute, rude].map((server) => server.listening && once(server, 'close')));
    expect(await post(closedUrl)).toEqual({ kind: 'unreachable', why: 'ECONNREFUSED' });
  });
});

it.each([
  ['https://cloud.example', true],
  ['https://cloud.example:8443', true],
  ['http://localhost:9419', true],
  ['http://127.0.0.1:9419', true],
  ['http://cloud.example', false],
  ['http://localhost.example', false],
  ['https://name:word@cloud.example', false],
  ['ftp://cloud.example', false],
  ['cloud.example', false],
  ['https://cloud.example/?a=b', false],
])('an address is looked at before it is kept: %s', (address, isFine) => {
  expect(problemOfAddress(address) === null).toBe(isFine);
});
