/** Every connection registry, with real sockets and a clock controlled by the test. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type TestWorker, testWorker } from '../fixtures/a-worker.ts';
import { ofOneGateway, ofTwoGateways, type Registries, type TestRegistry } from '../fixtures/test-registries.ts';
import type { Scope } from '../platform/scope.ts';
import { JobFailure, type JobOrder, type WorkerStatus } from './connection-registry.ts';

const ours = { tenant_id: 't', app_id: 'a' };
const sibling = { tenant_id: 't', app_id: 'b' };
const about = { sdk_version: '1', adapter: 'x', language: 'python' } as const;
const request = { type: 'prompt-run', data: { ast: {} } } as const;

describe.each([
  { gateways: 'one gateway', openRegistries: ofOneGateway, cancelReason: 'Mira does not want it' },
  // Of a cancellation that another gateway sees as the end of a request, the worker gets no reason.
  { gateways: 'two gateways', openRegistries: ofTwoGateways, cancelReason: 'The job was cancelled' },
])('$gateways', ({ openRegistries, cancelReason }) => {
  let now: number;
  /** By how much somebody changed the wall clock of the machine. */
  let clockChangeMs: number;
  let registry: TestRegistry;
  let registries: Registries;
  let server: WebSocketServer;

  beforeAll(async () => {
    registries = await openRegistries();
  });
  afterAll(() => registries.stop());
  beforeEach(async () => {
    now = Date.UTC(2026, 0, 1);
    clockChangeMs = 0;
    registry = await registries.open({ now: () => now + clockChangeMs, monotonic: () => now });
    server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong: false });
    await once(server, 'listening');
  });
  afterEach(async () => {
    await registry.stop();
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  async function connect(scope = ours): Promise<TestWorker> {
    const accepted = once(server, 'connection');
    const worker = testWorker(new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`));
    const [socket] = (await accepted) as [WebSocket];
    registry.accepting.register(scope, socket, about);
    if (worker.socket.readyState !== WebSocket.OPEN) await once(worker.socket, 'open');
    await registry.known(scope);
    return worker;
  }

  async function statusOf(scope: Scope): Promise<WorkerStatus | null> {
    await registry.known(scope);
    return registry.asking.status(scope);
  }

  let jobs = 0;
  const order = (more: Partial<JobOrder> = {}): JobOrder => ({ id: `job-${++jobs}`, request, silenceMs: 60_000, ...more });

  /** The failure of a job; throws when there is none. */
  const failureOf = async (job: Promise<unknown>): Promise<{ errorKind: string; jobId: string }> => {
    const failure = await job.then(
      () => null,
      (error: unknown) => error,
    );
    if (!(failure instanceof JobFailure)) throw new Error(`not a JobFailure: ${failure}`);
    return { errorKind: failure.errorKind, jobId: failure.jobId };
  };

  /** Resolves when the registry has read everything that the worker sent before. */
  async function received(worker: TestWorker): Promise<void> {
    worker.say({ type: 'heartbeat' });
    await worker.next('heartbeat-ack');
  }

  describe.each([
    ['back', -3_600_000],
    ['forward', 3_600_000],
  ])('a clock that is set %s by an hour', (_, ms) => {
    it('neither shortens nor extends the timeouts of a worker and its jobs', async () => {
      const worker = await connect();
      const silent = failureOf(registry.asking.dispatch(ours, order({ silenceMs: 60_000 })));
      await worker.next('job');
      clockChangeMs = ms;
      now += 59_000;
      registry.checkTimeouts();
      await received(worker);
      expect(await statusOf(ours)).toMatchObject({ last_heard_at: new Date(now + clockChangeMs).toISOString() });
      now += 2_000;
      registry.checkTimeouts();
      expect((await silent).errorKind).toBe('timed_out');
      now += 90_000;
      registry.checkTimeouts();
      await worker.closed;
    });
  });

  describe('heartbeats', () => {
    it('a worker that is silent for more than 90 s is closed with 1000, and not before', async () => {
      const worker = await connect();
      now += 90_000;
      registry.checkTimeouts();
      // It still answers, which shows that it was not closed, and resets the timeout.
      await received(worker);
      now += 90_000;
      registry.checkTimeouts();
      expect(await statusOf(ours)).not.toBeNull();
      now += 1;
      registry.checkTimeouts();
      expect(await worker.closed).toEqual({ code: 1000, reason: 'Heartbeat missed' });
      expect(await statusOf(ours)).toBeNull();
    });

    it('are answered with the time, and update the time of the last frame', async () => {
      const worker = await connect();
      const connected_at = new Date(now).toISOString();
      now += 30_000;
      worker.say({ type: 'heartbeat', timestamp: 'whenever' });
      const last_heard_at = new Date(now).toISOString();
      expect(await worker.next('heartbeat-ack')).toEqual({ type: 'heartbeat-ack', timestamp: last_heard_at });
      expect(await statusOf(ours)).toEqual({ ...about, connected_at, last_heard_at });
      expect(await statusOf(sibling)).toBeNull();
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
      const [worker, other] = [await connect(), await connect(sibling)];
      const jobOrder = order();
      const result = registry.asking.dispatch(ours, jobOrder);
      expect(await worker.next('job')).toEqual({ type: 'job', jobId: jobOrder.id, request });
      // Results from another app's worker, and for unknown jobs, are ignored.
      other.say({ type: 'job-result', jobId: jobOrder.id, result: { type: 'text', result: 'stolen' } });
      await received(other);
      worker.say({ type: 'job-result', jobId: 'nobody', result: { type: 'text', result: 'stray' } });
      worker.say({
        type: 'job-result',
        jobId: jobOrder.id,
        result: { type: 'text', result: 'right', traceId: 'x', usage: { totalTokens: 3 } },
      });
      worker.say({ type: 'job-result', jobId: jobOrder.id, result: { type: 'text', result: 'again' } });
      worker.say({ type: 'job-error', jobId: jobOrder.id, error: 'too late' });
      expect(await result).toEqual({ type: 'text', result: 'right', traceId: 'x', usage: { totalTokens: 3 } });
      await received(worker);
    });

    it('stream line by line, however the lines are split into chunks', async () => {
      const worker = await connect();
      const lines: unknown[] = [];
      const jobOrder = order({ onLine: (line) => lines.push(line) });
      const result = registry.asking.dispatch(ours, jobOrder);
      await worker.next('job');
      for (const chunk of ['{"a":1}\n{"a":2}\n{"a"', ':3}', '\n', '{"a":4}', 'no json\n{"a":5}'])
        worker.say({ type: 'job-stream-chunk', jobId: jobOrder.id, chunk });
      worker.say({ type: 'job-stream-end', jobId: jobOrder.id, traceId: 'y' });
      expect(await result).toEqual({ type: 'stream', result: null, traceId: 'y' });
      expect(lines).toEqual([1, 2, 3, 4, 5].map((a) => ({ a })));
    });

    it('fail when the worker reports a failure', async () => {
      const worker = await connect();
      const jobOrder = order();
      const result = failureOf(registry.asking.dispatch(ours, jobOrder));
      await worker.next('job');
      worker.say({ type: 'job-error', jobId: jobOrder.id, error: 'no model', details: {} });
      expect(await result).toEqual({ errorKind: 'reported', jobId: jobOrder.id });
    });

    it('time out without frames, and the worker is sent a cancel; its later result is ignored', async () => {
      const worker = await connect();
      const jobOrder = order({ silenceMs: 10_000 });
      const result = failureOf(registry.asking.dispatch(ours, jobOrder));
      await worker.next('job');
      now += 10_000;
      worker.say({ type: 'job-stream-chunk', jobId: jobOrder.id, chunk: '{}' });
      await received(worker);
      now += 10_000;
      registry.checkTimeouts();
      now += 1;
      registry.checkTimeouts();
      expect(await result).toEqual({ errorKind: 'timed_out', jobId: jobOrder.id });
      expect(await worker.next('job-cancel')).toEqual({ type: 'job-cancel', jobId: jobOrder.id, reason: 'No message for 10 s' });
      worker.say({ type: 'job-result', jobId: jobOrder.id, result: { type: 'text', result: 'late' } });
      await received(worker);
    });

    it('are cancelled with a reason, also before they start', async () => {
      const worker = await connect();
      const cancel = new AbortController();
      const jobOrder = order({ signal: cancel.signal });
      const result = failureOf(registry.asking.dispatch(ours, jobOrder));
      await worker.next('job');
      cancel.abort('Mira does not want it');
      expect(await result).toEqual({ errorKind: 'cancelled', jobId: jobOrder.id });
      expect((await worker.next('job-cancel')).reason).toBe(cancelReason);
      expect((await failureOf(registry.asking.dispatch(ours, order({ signal: cancel.signal })))).errorKind).toBe('cancelled');
    });

    it('are refused without a worker, when they are too large, and when the worker has too many', async () => {
      expect((await failureOf(registry.asking.dispatch(ours, order()))).errorKind).toBe('no_worker');
      const worker = await connect();
      const large = order({ request: { type: 'prompt-run', data: { ast: 'x'.repeat(1024 * 1024) } } });
      expect((await failureOf(registry.asking.dispatch(ours, large))).errorKind).toBe('too_large');
      const running = Array.from({ length: 100 }, () => failureOf(registry.asking.dispatch(ours, order())));
      for (const _ of running) await worker.next('job');
      expect((await failureOf(registry.asking.dispatch(ours, order()))).errorKind).toBe('overloaded');
      void registry.stop();
      expect(new Set((await Promise.all(running)).map(({ errorKind }) => errorKind))).toEqual(new Set(['stopping']));
      expect((await worker.closed).code).toBe(1012);
    });

    it('outlive a short loss of the connection, and the results that the worker sends when it is back count', async () => {
      const first = await connect();
      const [finished, dropped] = [order(), order()];
      const [result, failed] = [registry.asking.dispatch(ours, finished), failureOf(registry.asking.dispatch(ours, dropped))];
      for (const _ of [result, failed]) await first.next('job');
      first.socket.terminate();
      await first.closed;
      now += 60_000;
      const second = await connect();
      second.say({ type: 'job-error', jobId: dropped.id, error: 'connection lost' });
      second.say({ type: 'job-result', jobId: finished.id, result: { type: 'text', result: 'done meanwhile' } });
      expect(await failed).toEqual({ errorKind: 'reported', jobId: dropped.id });
      expect((await result).result).toBe('done meanwhile');
    });

    it('are lost when the worker stays away for more than 90 s, even when another one has connected', async () => {
      const first = await connect();
      const jobOrder = order({ silenceMs: 3_600_000 });
      const failed = failureOf(registry.asking.dispatch(ours, jobOrder));
      await first.next('job');
      const second = await connect();
      expect((await first.closed).reason).toBe('Replaced by new connection');
      now += 90_000;
      await received(second);
      registry.checkTimeouts();
      now += 1;
      registry.checkTimeouts();
      expect(await failed).toEqual({ errorKind: 'connection_lost', jobId: jobOrder.id });
    });
  });

  it('a worker that does not read what it is sent gets nothing more, and is closed with 1013 after 5 s', async () => {
    const worker = await connect();
    worker.socket.pause();
    const large = { type: 'prompt-run', data: { ast: 'x'.repeat(900_000) } } as const;
    const refusals: string[] = [];
    for (let sent = 0; refusals.length === 0 && sent < 99; sent++) {
      registry.asking.dispatch(ours, order({ request: large })).catch((error: Error) => refusals.push(error.message));
      await sleep(100);
    }
    await expect.poll(() => refusals[0]).toBe('The worker does not read its messages');
    registry.checkTimeouts();
    now += 5_000;
    registry.checkTimeouts();
    expect(await statusOf(ours)).not.toBeNull();
    now += 1;
    registry.checkTimeouts();
    worker.socket.resume();
    expect(await worker.closed).toEqual({ code: 1013, reason: 'Reads too slowly' });
  });

  it('invalid frames are ignored, and the connection stays open', async () => {
    const worker = await connect();
    const invalidFrames = [
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
    for (const text of [...invalidFrames, JSON.stringify({ type: 'job-error', jobId: 'x'.repeat(1000), error: '' })]) worker.say(text);
    worker.socket.send(Buffer.from('{"type":"heartbeat"}'));
    await received(worker);
    // The binary frame was ignored: there is no second answer to it.
    await received(worker);
    expect(worker.socket.readyState).toBe(WebSocket.OPEN);
  });
});
