/** What can go wrong between gateways that share the sockets of workers. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type TestWorker, testWorker } from '../fixtures/a-worker.ts';
import { withClient } from '../fixtures/postgres.ts';
import { gatewaysOnPostgres, type TestGatewayOfSeveral } from '../fixtures/test-registries.ts';
import { systemClock } from '../platform/clock.ts';
import { JobFailure, type JobOrder } from './connection-registry.ts';
import { frameBytesMax } from './worker-connection.ts';

type Gateways = Awaited<ReturnType<typeof gatewaysOnPostgres>>;

const scope = { tenant_id: 't', app_id: 'a' };
const about = { sdk_version: '1', adapter: 'x', language: null } as const;
const elsewhere = { instance: crypto.randomUUID(), address: 'http://127.0.0.1:1' };
const open: { stop(): unknown }[] = [];
let gateways: Gateways;
let sockets: WebSocketServer;

beforeAll(async () => {
  gateways = await gatewaysOnPostgres();
  sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(sockets, 'listening');
});
afterEach(async () => {
  for (const { stop } of open.splice(0)) await stop();
  await sql('DELETE FROM worker_socket');
});
afterAll(async () => {
  sockets.close();
  await gateways.stop();
});

async function start(secret?: string): Promise<TestGatewayOfSeveral> {
  const gateway = await gateways.start(systemClock, secret);
  open.push(gateway);
  return gateway;
}

async function connect({ registry }: TestGatewayOfSeveral): Promise<TestWorker> {
  const accepted = once(sockets, 'connection');
  const worker = testWorker(new WebSocket(`ws://127.0.0.1:${(sockets.address() as AddressInfo).port}`));
  const [socket] = (await accepted) as [WebSocket];
  registry.register(scope, socket, about);
  open.push({ stop: () => socket.terminate() });
  if (worker.socket.readyState !== WebSocket.OPEN) await once(worker.socket, 'open');
  return worker;
}

const sql = (text: string) => withClient(gateways.databaseUrl, (client) => client.query<{ instance: string; epoch: string }>(text));
const rows = async () => (await sql('SELECT instance, epoch FROM worker_socket')).rows;
const instances = async () => (await rows()).map(({ instance }) => instance);

let jobs = 0;
const order = (more: Partial<JobOrder> = {}): JobOrder => ({
  id: `job-${++jobs}`,
  request: { type: 'get-evals' },
  silenceMs: 60_000,
  ...more,
});
const kindOf = (job: Promise<unknown>): Promise<string> =>
  job.then(
    () => 'none',
    (error: unknown) => (error instanceof JobFailure ? error.errorKind : String(error)),
  );

it('a gateway that missed the notice closes a replaced socket when it renews its own', async () => {
  const a = await start();
  const worker = await connect(a);
  await expect.poll(instances).toEqual([a.instance]);
  const job = kindOf(a.registry.dispatch(scope, order()));
  await worker.next('job');
  await a.coordination.workerSockets?.claim(elsewhere, scope, null);
  await a.registry.renew();
  expect(await worker.closed).toEqual({ code: 1000, reason: 'Replaced by new connection' });
  expect(await job).toBe('connection_lost');
  expect(await instances()).toEqual([elsewhere.instance]);
});

it('the socket of a gateway that does not renew it no longer counts, and is removed', async () => {
  const [a, b] = [await start(), await start()];
  await a.coordination.workerSockets?.claim(elsewhere, scope, { ...about, connected_at: 'x', last_heard_at: 'y' });
  expect(await b.registry.status(scope)).toEqual({ ...about, connected_at: 'x', last_heard_at: 'y' });
  await sql("UPDATE worker_socket SET seen = seen - interval '16 seconds'");
  expect(await b.registry.status(scope)).toBeNull();
  expect(await kindOf(b.registry.dispatch(scope, order()))).toBe('no_worker');
  await a.coordination.workerSockets?.renew(elsewhere, []);
  expect(await rows()).toEqual([]);
});

it('after a crash of the database, which empties the table, a gateway adds its sockets again', async () => {
  const [a, b] = [await start(), await start()];
  await connect(a);
  await expect.poll(instances).toEqual([a.instance]);
  const before = await rows();
  await sql('DELETE FROM worker_socket');
  await a.registry.renew();
  expect(await rows()).toEqual(before);
  expect(await b.registry.status(scope)).toMatchObject(about);
});

it('a socket that closes while it is announced leaves nothing behind', async () => {
  const a = await start();
  for (let round = 0; round < 10; round++) {
    const worker = await connect(a);
    worker.socket.terminate();
    await worker.closed;
  }
  await expect.poll(rows).toEqual([]);
  await a.registry.renew();
  expect(await rows()).toEqual([]);
});

it('a gateway that begins to stop gives its sockets up at once', async () => {
  const a = await start();
  const worker = await connect(a);
  await expect.poll(instances).toEqual([a.instance]);
  a.registry.stop();
  expect((await worker.closed).code).toBe(1012);
  await expect.poll(rows).toEqual([]);
});

it('a job may fill a frame and no more, and so may the lines of its output', async () => {
  const [a, b] = [await start(), await start()];
  const worker = await connect(a);
  await expect.poll(instances).toEqual([a.instance]);
  const sized = (bytes: number): JobOrder => {
    const { id } = order();
    const empty = JSON.stringify({ type: 'job', jobId: id, request: { type: 'prompt-run', data: { text: '' } } });
    return order({ id, request: { type: 'prompt-run', data: { text: 'x'.repeat(bytes - empty.length) } } });
  };
  const lines: unknown[] = [];
  const largest = { ...sized(frameBytesMax), onLine: (line: unknown) => lines.push(line) };
  const result = b.registry.dispatch(scope, largest);
  const frame = await worker.next('job');
  expect([frame.jobId, Buffer.byteLength(JSON.stringify(frame))]).toEqual([largest.id, frameBytesMax]);
  const line = `"${'ä'.repeat(400_000)}"`;
  for (let part = 0; part < 3; part++) worker.say({ type: 'job-stream-chunk', jobId: largest.id, chunk: `${line}\n` });
  const text = 'y'.repeat(1_000_000);
  worker.say({ type: 'job-result', jobId: largest.id, result: { type: 'text', result: text, usage: { totalTokens: 3 } } });
  expect(await result).toEqual({ type: 'text', result: text, usage: { totalTokens: 3 } });
  expect(lines).toEqual(Array(3).fill(JSON.parse(line)));
  expect(await kindOf(b.registry.dispatch(scope, sized(frameBytesMax + 1)))).toBe('too_large');
});

it('a gateway with another secret gets no jobs done', async () => {
  const [a, b] = [await start(), await start('another secret')];
  await connect(a);
  await expect.poll(instances).toEqual([a.instance]);
  expect(await kindOf(b.registry.dispatch(scope, order()))).toBe('connection_lost');
});

it('while the database is away, a worker is sent away to come back, and questions about workers fail as those to the store', async () => {
  const a = await start();
  const [name, outside] = [new URL(gateways.databaseUrl).pathname.slice(1), new URL(gateways.databaseUrl)];
  outside.pathname = '/postgres';
  await withClient(outside.href, async (client) => {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
  });
  try {
    const worker = await connect(a);
    expect(await worker.closed).toEqual({ code: 1013, reason: 'Try again later' });
    await expect(a.registry.status(scope)).rejects.toMatchObject({ name: 'StorageError' });
  } finally {
    await withClient(outside.href, (client) => client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`));
  }
});

it('an answer that is cut, silent or not understood is a lost connection', async () => {
  const b = await start();
  const answers: Record<string, RequestListener> = {
    cut: (_, response) => void response.write('{"type":"alive"}\n', () => response.destroy()),
    ended: (_, response) => response.end('{"type":"alive"}\n'),
    'not understood': (_, response) => response.end('{"type":"done"}\n'),
    'no JSON': (_, response) => response.end('hello\n'),
    'too long': (_, response) => response.end('x'.repeat(9 * 1024 * 1024)),
    redirected: (_, response) => response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
    refused: (_, response) => response.writeHead(503).end(),
    silent: () => {},
    'silent later': (_, response) => response.write('{"type":"alive"}\n'),
  };
  const servers: Server[] = [];
  const dispatch = async ([kind, listener]: [string, RequestListener], app: number) => {
    const server = createServer(listener);
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const of = { tenant_id: 't', app_id: `app-${app}` };
    await b.coordination.workerSockets?.claim({ instance: crypto.randomUUID(), address }, of, null);
    return [kind, await kindOf(b.registry.dispatch(of, order()))];
  };
  const found = await Promise.all(Object.entries(answers).map(dispatch));
  for (const server of servers) server.close().closeAllConnections();
  expect(found).toEqual(Object.keys(answers).map((kind) => [kind, 'connection_lost']));
});
