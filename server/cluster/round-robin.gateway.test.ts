import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RoundRobin } from './round-robin.ts';

const hangMs = 120_000;
const proxy = new RoundRobin();
const gateway = createServer((request, response) => response.end(request.headers['x-forwarded-for']));
let port: number;

beforeAll(async () => {
  gateway.on('upgrade', ({ headers }: IncomingMessage, socket) => {
    socket.end(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\nx-seen: ${headers['x-forwarded-for']}\r\n\r\n`);
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  proxy.use([(gateway.address() as AddressInfo).port]);
  port = await proxy.listen(0);
});
afterAll(async () => {
  await proxy.close();
  gateway.closeAllConnections();
  gateway.close();
});

it('gateways learn the address of a client, also of one that opens a WebSocket, after what the client claims', async () => {
  const claimed = { 'X-Forwarded-For': '203.0.113.9' };
  const seen = '203.0.113.9, 127.0.0.1';
  expect(await (await fetch(`http://127.0.0.1:${port}/`, { headers: claimed })).text()).toBe(seen);
  const opened = send({ host: '127.0.0.1', port, headers: { ...claimed, Connection: 'Upgrade', Upgrade: 'test' } });
  opened.end();
  const [answer, socket] = (await once(opened, 'upgrade')) as [IncomingMessage, { destroy(): void }];
  socket.destroy();
  expect(answer.headers['x-seen']).toBe(seen);
});

it('a gateway that is left out has answered what it was sent, streams apart', async () => {
  const pending: ServerResponse[] = [];
  const slow = createServer((request, response) => {
    if (request.url === '/stream') response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    else pending.push(response);
  });
  await once(slow.listen(0, '127.0.0.1'), 'listening');
  const { port: slowPort } = slow.address() as AddressInfo;
  proxy.use([slowPort]);
  const stream = await fetch(`http://127.0.0.1:${port}/stream`);
  const sent = fetch(`http://127.0.0.1:${port}/`);
  await expect.poll(() => pending.length).toBe(1);
  proxy.use([]);
  let isAnswered = false;
  const answered = proxy.answered(slowPort, hangMs).then(() => (isAnswered = true));
  await proxy.answered(slowPort, 1);
  expect(isAnswered).toBe(false);
  pending[0]?.end('late');
  await answered;
  expect(await (await sent).text()).toBe('late');
  await stream.body?.cancel();
  slow.closeAllConnections();
  slow.close();
});
