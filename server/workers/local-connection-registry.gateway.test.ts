/** The registry of connections, with real sockets and a clock that is moved by hand. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { followed, type TestWorker } from '../fixtures/a-worker.ts';
import { JobFailure, type JobOrder } from './connection-registry.ts';
import { LocalConnectionRegistry } from './local-connection-registry.ts';

const ours = { tenant_id: 't', app_id: 'a' };
const beside = { tenant_id: 't', app_id: 'b' };
const about = { sdk_version: '1', adapter: 'x', language: 'python' } as const;
const request = { type: 'prompt-run', data: { ast: {} } } as const;

let now: number;
/** What somebody did to the clock of the machine. */
let setBy: number;
let registry: LocalConnectionRegistry;
let server: WebSocketServer;

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  setBy = 0;
  registry = new LocalConnectionRegistry({ now: () => now + setBy, monotonic: () => now });
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
  await once(server, 'listening');
});
afterEach(() => {
  registry.stop();
  for (const socket of server.clients) socket.terminate();
  server.close();
});

async function connect(scope = ours): Promise<TestWorker> {
  const taken = once(server, 'connection');
  const worker = followed(new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`));
  const [socket] = (await taken) as [WebSocket];
  registry.register(scope, socket, about);
  if (worker.socket.readyState !== WebSocket.OPEN) await once(worker.socket, 'open');
  return worker;
}

let jobs = 0;
const order = (more: Partial<JobOrder> = {}): JobOrder => ({ id: `job-${++jobs}`, request, silenceMs: 60_000, ...more });

/** How a job failed; throws when it did not. */
const failureOf = async (job: Promise<unknown>): Promise<{ errorKind: string; jobId: string }> => {
  const failure = await job.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof JobFailure)) throw new Error(`no failure of a job: ${failure}`);
  return { errorKind: failure.errorKind, jobId: failure.jobId };
};

/** What was sent before has been read on the other side. */
async function heard(worker: TestWorker): Promise<void> {
  worker.say({ type: 'heartbeat' });
  await worker.next('heartbeat-ack');
}

describe.each([
  ['back', -3_600_000],
  ['forward', 3_600_000],
])('a clock that is set %s by an hour', (_, ms) => {
  it('ends neither a worker nor its jobs, and keeps none of them longer', async () => {
    const worker = await connect();
    const silent = failureOf(registry.dispatch(ours, order({ silenceMs: 60_000 })));
    await worker.next('job');
    setBy = ms;
    now += 59_000;
    registry.checkTimeouts();
    await heard(worker);
    expect(await registry.status(ours)).toMatchObject({ last_heard_at: new Date(now + setBy).toISOString() });
    now += 2_000;
    registry.checkTimeouts();
    expect((await silent).errorKind).toBe('timed_out');
    now += 90_000;
    registry.checkTimeouts();
    await worker.closed;
  });
});

describe('heartbeats', () => {
  it('a worker that is not heard of for more than 90 s is cut with 1000, and not before', async () => {
    const worker = await connect();
    now += 90_000;
    registry.checkTimeouts();
    // It still answers, which shows that it was not cut, and renews its time.
    await heard(worker);
    now += 90_000;
    registry.checkTimeouts();
    expect(await registry.status(ours)).not.toBeNull();
    now += 1;
    registry.checkTimeouts();
    expect(await worker.closed).toEqual({ code: 1000, reason: 'Heartbeat missed' });
    expect(await registry.status(ours)).toBeNull();
  });

  it('are answered with the time, and show when it was heard of', async () => {
    const worker = await connect();
    const connected_at = new Date(now).toISOString();
    now += 30_000;
    worker.say({ type: 'heartbeat', timestamp: 'whenever' });
    const last_heard_at = new Date(now).toISOString();
    expect(await worker.next('heartbeat-ack')).toEqual({ type: 'heartbeat-ack', timestamp: last_heard_at });
    expect(await registry.status(ours)).toEqual({ ...about, connected_at, last_heard_at });
    expect(await registry.status(beside)).toBeNull();
  });

  it('pings are no heartbeats: they come from the library of a program that may hang', async () => {
    const worker = await connect();
    now += 90_001;
    const pong = once(worker.socket, 'pong');
    worker.socket.ping();
    await pong;
    registry.checkTimeouts();
    expect((await worker.closed).code).toBe(1000);
  });
});

describe('jobs', () => {
  it('go to the worker of the app and come back with its result', async () => {
    const [worker, other] = [await connect(), await connect(beside)];
    const asked = order();
    const result = registry.dispatch(ours, asked);
    expect(await worker.next('job')).toEqual({ type: 'job', jobId: asked.id, request });
    // Another app's worker has no say in it, nor has a job that nobody gave.
    other.say({ type: 'job-result', jobId: asked.id, result: { type: 'text', result: 'stolen' } });
    await heard(other);
    worker.say({ type: 'job-result', jobId: 'nobody', result: { type: 'text', result: 'stray' } });
    worker.say({ type: 'job-result', jobId: asked.id, result: { type: 'text', result: 'right', traceId: 'x', usage: { totalTokens: 3 } } });
    worker.say({ type: 'job-result', jobId: asked.id, result: { type: 'text', result: 'again' } });
    worker.say({ type: 'job-error', jobId: asked.id, error: 'too late' });
    expect(await result).toEqual({ type: 'text', result: 'right', traceId: 'x', usage: { totalTokens: 3 } });
    await heard(worker);
  });

  it('stream line by line, however the lines are cut', async () => {
    const worker = await connect();
    const lines: unknown[] = [];
    const asked = order({ onLine: (line) => lines.push(line) });
    const result = registry.dispatch(ours, asked);
    await worker.next('job');
    for (const chunk of ['{"a":1}\n{"a":2}\n{"a"', ':3}', '\n', '{"a":4}', 'no json\n{"a":5}'])
      worker.say({ type: 'job-stream-chunk', jobId: asked.id, chunk });
    worker.say({ type: 'job-stream-end', jobId: asked.id, traceId: 'y' });
    expect(await result).toEqual({ type: 'stream', result: null, traceId: 'y' });
    expect(lines).toEqual([1, 2, 3, 4, 5].map((a) => ({ a })));
  });

  it('fail as the worker says', async () => {
    const worker = await connect();
    const asked = order();
    const result = failureOf(registry.dispatch(ours, asked));
    worker.say({ type: 'job-error', jobId: asked.id, error: 'no model', details: {} });
    expect(await result).toEqual({ errorKind: 'reported', jobId: asked.id });
  });

  it('that nothing is heard of time out, and the worker is told; its answer comes too late', async () => {
    const worker = await connect();
    const asked = order({ silenceMs: 10_000 });
    const result = failureOf(registry.dispatch(ours, asked));
    await worker.next('job');
    now += 10_000;
    worker.say({ type: 'job-stream-chunk', jobId: asked.id, chunk: '{}' });
    await heard(worker);
    now += 10_000;
    registry.checkTimeouts();
    now += 1;
    registry.checkTimeouts();
    expect(await result).toEqual({ errorKind: 'timed_out', jobId: asked.id });
    expect(await worker.next('job-cancel')).toEqual({ type: 'job-cancel', jobId: asked.id, reason: 'No message for 10 s' });
    worker.say({ type: 'job-result', jobId: asked.id, result: { type: 'text', result: 'late' } });
    await heard(worker);
  });

  it('are cancelled with a reason, also before they began', async () => {
    const worker = await connect();
    const cancel = new AbortController();
    const asked = order({ signal: cancel.signal });
    const result = failureOf(registry.dispatch(ours, asked));
    await worker.next('job');
    cancel.abort('Mira does not want it');
    expect(await result).toEqual({ errorKind: 'cancelled', jobId: asked.id });
    expect((await worker.next('job-cancel')).reason).toBe('Mira does not want it');
    expect((await failureOf(registry.dispatch(ours, order({ signal: cancel.signal })))).errorKind).toBe('cancelled');
  });

  it('want a worker that reads, has room, and takes no more than a frame', async () => {
    expect((await failureOf(registry.dispatch(ours, order()))).errorKind).toBe('no_worker');
    const worker = await connect();
    const large = order({ request: { type: 'prompt-run', data: { ast: 'x'.repeat(1024 * 1024) } } });
    expect((await failureOf(registry.dispatch(ours, large))).errorKind).toBe('too_large');
    const running = Array.from({ length: 100 }, () => failureOf(registry.dispatch(ours, order())));
    expect((await failureOf(registry.dispatch(ours, order()))).errorKind).toBe('overloaded');
    registry.stop();
    expect(new Set((await Promise.all(running)).map(({ errorKind }) => errorKind))).toEqual(new Set(['stopping']));
    expect((await worker.closed).code).toBe(1012);
  });

  it('outlive a short loss of the connection, and what the worker says of them when it is back counts', async () => {
    const first = await connect();
    const [kept, dropped] = [order(), order()];
    const [result, failed] = [registry.dispatch(ours, kept), failureOf(registry.dispatch(ours, dropped))];
    await first.next('job');
    first.socket.terminate();
    await first.closed;
    now += 60_000;
    const second = await connect();
    second.say({ type: 'job-error', jobId: dropped.id, error: 'connection lost' });
    second.say({ type: 'job-result', jobId: kept.id, result: { type: 'text', result: 'done meanwhile' } });
    expect(await failed).toEqual({ errorKind: 'reported', jobId: dropped.id });
    expect((await result).result).toBe('done meanwhile');
  });

  it('are lost when the worker stays away for more than 90 s, or another has come that knows nothing of them', async () => {
    const first = await connect();
    const asked = order({ silenceMs: 3_600_000 });
    const failed = failureOf(registry.dispatch(ours, asked));
    await first.next('job');
    const second = await connect();
    expect((await first.closed).reason).toBe('Replaced by new connection');
    now += 90_000;
    await heard(second);
    registry.checkTimeouts();
    now += 1;
    registry.checkTimeouts();
    expect(await failed).toEqual({ errorKind: 'connection_lost', jobId: asked.id });
  });
});

it('a worker that does not read what it is sent gets nothing more, and is cut with 1013 after 5 s', async () => {
  const worker = await connect();
  worker.socket.pause();
  const large = { type: 'prompt-run', data: { ast: 'x'.repeat(900_000) } } as const;
  const running: Promise<unknown>[] = [];
  let last = '';
  for (; last === '' && running.length < 99; running.push(Promise.resolve())) {
    const result = registry.dispatch(ours, order({ request: large })).catch((error: unknown) => error);
    last = String(
      await Promise.race([result.then((error) => (error as Error).message), new Promise<string>((resolve) => setImmediate(resolve, ''))]),
    );
  }
  expect(last).toBe('The worker does not read what it was sent');
  registry.checkTimeouts();
  now += 5_000;
  registry.checkTimeouts();
  expect(await registry.status(ours)).not.toBeNull();
  now += 1;
  registry.checkTimeouts();
  worker.socket.resume();
  expect(await worker.closed).toEqual({ code: 1013, reason: 'Reads too slowly' });
});

it('what is no frame is passed over, and the connection stays', async () => {
  const worker = await connect();
  const nonsense = [
    '',
    '{',
    'null',
    '[]',
    '{"type":"job"}',
    '{"type":"job-result","jobId":7}',
    '{"type":"nonsense"}',
    '\u0000',
    '{"type":{}}',
  ];
  for (const text of [...nonsense, JSON.stringify({ type: 'job-error', jobId: 'x'.repeat(1000), error: '' })]) worker.say(text);
  worker.socket.send(Buffer.from('{"type":"heartbeat"}'));
  await heard(worker);
  // The binary one was no heartbeat: there is no second answer.
  await heard(worker);
  expect(worker.socket.readyState).toBe(WebSocket.OPEN);
});
