/** Workers of two real gateways on one PostgreSQL: jobs begin on one of them and run at the worker of the other one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectWorker, idleWorker, type TestWorker } from '../fixtures/a-worker.ts';
import { startEntry } from '../fixtures/entry-process.ts';
import { freePort } from '../fixtures/free-port.ts';
import { withClient } from '../fixtures/postgres.ts';
import { testClock } from '../fixtures/test-clock.ts';
import { secretOfTwo, startTwoClouds, type TwoClouds } from '../fixtures/two-clouds.ts';
import { GatewaySignatures } from '../identity/gateway-signatures.ts';
import { systemClock } from '../platform/clock.ts';
import { jobsPath, postBytesMax } from './job-messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'glasshouse-third-'));
const adapter = { 'x-service-adapter': 'test' };
const workers: TestWorker[] = [];
let clouds: TwoClouds;

beforeAll(async () => {
  clouds = await startTwoClouds((port) => ({ internalUrl: `http://127.0.0.1:${port}` }));
  await clouds.a.client.datasets.append({ params: { datasetName: 'sums' }, body: { input: 1 } });
});
afterEach(async () => {
  for (const { socket } of workers) socket.terminate();
  await Promise.all(workers.splice(0).map(({ closed }) => closed));
  await expect.poll(async () => (await Promise.all([statusAt('a'), statusAt('b')])).every((status) => status === null)).toBe(true);
});
afterAll(async () => {
  await clouds.stop();
  rmSync(folder, { recursive: true, force: true });
});

const statusAt = async (name: 'a' | 'b') => (await clouds[name].client.experimentRuns.worker()).data;

/** Connects a worker. Resolves when both gateways know it. */
async function connectAt(url: string): Promise<TestWorker> {
  const before = await rows();
  const worker = await connectWorker(url, clouds.tenant.api_key, adapter);
  workers.push(worker);
  await expect.poll(rows).not.toEqual(before);
  return worker;
}

const sql = (text: string, values: unknown[] = []) => withClient(clouds.databaseUrl, (client) => client.query(text, values));
const rows = async () => (await sql('SELECT instance, address, epoch FROM worker_socket')).rows as { instance: string; address: string }[];

const startAt = async (name: 'a' | 'b') =>
  (await clouds[name].client.experimentRuns.start({ body: { dataset: 'sums' } })).data.experiment_id;
const runAt = async (name: 'a' | 'b', experimentId: string) =>
  (await clouds[name].client.experimentRuns.get({ params: { experimentId } })).data;

it('an experiment that begins on one gateway runs at the worker of the other one, and its progress comes back', async () => {
  const worker = await connectAt(clouds.a.url);
  const status = await statusAt('a');
  expect(status).toMatchObject({ adapter: 'test' });
  expect(await statusAt('b')).toEqual(status);
  const id = await startAt('b');
  expect(await worker.next('job')).toMatchObject({ jobId: id, request: { type: 'dataset-run', data: { datasetPath: 'sums.jsonl' } } });
  worker.say({ type: 'job-stream-chunk', jobId: id, chunk: '{"type":"start","rows":2}\n{"type":"dataset"}\n{"type":"err' });
  await expect.poll(async () => (await runAt('b', id)).rows_done).toBe(1);
  worker.say({ type: 'job-stream-chunk', jobId: id, chunk: 'or"}\n' });
  worker.say({ type: 'job-stream-end', jobId: id });
  await expect.poll(async () => (await runAt('b', id)).status).toBe('succeeded');
  expect(await runAt('a', id)).toMatchObject({ status: 'succeeded', rows_total: 2, rows_done: 2, rows_failed: 1 });
});

it('results, and failures that the worker reports, come back as they are', async () => {
  const evals = ['a', 'ä'.repeat(100)];
  workers.push(await idleWorker(clouds.a.url, clouds.tenant.api_key, { evals }));
  await expect.poll(async () => (await statusAt('b'))?.adapter).toBe('idle');
  expect((await clouds.b.client.experimentRuns.evals()).data).toEqual(evals);
  const before = await rows();
  workers.push(await idleWorker(clouds.a.url, clouds.tenant.api_key, { fails: true }));
  await expect.poll(rows).not.toEqual(before);
  await expect(clouds.b.client.experimentRuns.evals()).rejects.toThrow('no evals today');
});

it.each(['a', 'b'] as const)('a cancellation on gateway %s of what began on b reaches the worker on a', async (name) => {
  const worker = await connectAt(clouds.a.url);
  const id = await startAt('b');
  await worker.next('job');
  await clouds[name].client.experimentRuns.cancel({ params: { experimentId: id } });
  expect((await worker.next('job-cancel')).jobId).toBe(id);
  expect((await runAt('b', id)).status).toBe('cancelled');
});

it('a worker that connects to another gateway replaces its connection to the first one, whose jobs are lost', async () => {
  const first = await connectAt(clouds.a.url);
  const ids = [await startAt('a'), await startAt('b')];
  for (const _ of ids) await first.next('job');
  const second = await connectAt(clouds.b.url);
  expect(await first.closed).toEqual({ code: 1000, reason: 'Replaced by new connection' });
  for (const id of ids) {
    await expect.poll(async () => (await runAt('a', id)).status).toBe('failed');
    expect((await runAt('a', id)).error).toBe('The worker has connected to another gateway');
  }
  const next = await startAt('a');
  expect((await second.next('job')).jobId).toBe(next);
  second.say({ type: 'job-stream-end', jobId: next });
  await expect.poll(async () => (await runAt('a', next)).status).toBe('succeeded');
});

it('of workers that connect to both gateways at the same time, one connection remains', async () => {
  const connecting = Array.from({ length: 12 }, (_, at) =>
    connectWorker([clouds.a.url, clouds.b.url][at % 2] as string, clouds.tenant.api_key, adapter),
  );
  workers.push(...(await Promise.all(connecting)));
  const isOpen = ({ socket }: TestWorker) => socket.readyState === socket.OPEN;
  await expect.poll(() => workers.filter(isOpen).length).toBe(1);
  const [winner] = workers.filter(isOpen);
  const closed = await Promise.all(workers.filter((worker) => worker !== winner).map((worker) => worker.closed));
  expect(new Set(closed.map(({ reason }) => reason))).toEqual(new Set(['Replaced by new connection']));
  for (const name of ['a', 'b'] as const) {
    const id = await startAt(name);
    expect((await winner?.next('job'))?.jobId).toBe(id);
    winner?.say({ type: 'job-stream-end', jobId: id });
  }
});

it('a job at the worker of a gateway that is killed fails at once, and the worker is soon no longer shown', async () => {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = { GLASSHOUSE_POSTGRES_URL: clouds.databaseUrl, GLASSHOUSE_INTERNAL_URL: address, GLASSHOUSE_SECRET: secretOfTwo };
  const third = startEntry('cloud-gateway.ts', ['--port', String(port), '--host', '127.0.0.1', '--data', folder], { env });
  await third.ready;
  const worker = await connectAt(address);
  const id = await startAt('b');
  await worker.next('job');
  await third.end('SIGKILL');
  await expect.poll(async () => (await runAt('b', id)).status).toBe('failed');
  expect((await runAt('b', id)).error).toContain('cannot be reached');
  await expect.poll(() => statusAt('b')).toBeNull();
  // A worker that connects to one of the gateways that are left is found there.
  await connectAt(clouds.a.url);
  await expect.poll(async () => (await rows()).map((row) => row.address)).toEqual([clouds.a.url.replace('localhost', '127.0.0.1')]);
});

it('a gateway that stops lets the others know', async () => {
  const extra = await startTwoClouds((port) => ({ internalUrl: `http://127.0.0.1:${port}` }));
  const worker = await connectWorker(extra.a.url, extra.tenant.api_key, adapter);
  await expect.poll(async () => (await extra.b.client.experimentRuns.worker()).data).not.toBeNull();
  await extra.a.stop();
  expect((await worker.closed).code).toBe(1012);
  expect((await extra.b.client.experimentRuns.worker()).data).toBeNull();
  await extra.stop();
});

describe('requests between gateways', () => {
  const signatures = new GatewaySignatures([secretOfTwo], systemClock);

  async function job(): Promise<Buffer> {
    const [row] = await rows();
    const { tenant_id, app_id } = clouds.tenant;
    const parts = {
      to: row?.instance,
      scope: { tenant_id, app_id },
      id: crypto.randomUUID(),
      request: { type: 'get-evals' },
      silenceMs: 1000,
    };
    return Buffer.from(JSON.stringify(parts));
  }

  const post = async (body: Uint8Array, authorization: string | null, path = jobsPath) => {
    const headers = { 'Content-Type': 'application/json', ...(authorization === null ? {} : { Authorization: authorization }) };
    const response = await fetch(clouds.a.url + path, { method: 'POST', headers, body: new Uint8Array(body) });
    const text = await response.text();
    const code = response.status === 200 ? null : (JSON.parse(text) as { error: { code: string } }).error.code;
    return { status: response.status, code, text };
  };
  const refused = { status: 401, code: 'unauthorized' };

  it('are accepted once', async () => {
    workers.push(await idleWorker(clouds.a.url, clouds.tenant.api_key, { evals: ['x'] }));
    await expect.poll(async () => (await rows()).length).toBe(1);
    const body = await job();
    const signed = signatures.sign('POST', jobsPath, body);
    const first = await post(body, signed);
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('"result":"[\\"x\\"]"')]);
    expect(await post(body, signed)).toMatchObject(refused);
  });

  it('that are forged, altered, late or early are refused, and so is every ordinary credential', async () => {
    await connectAt(clouds.a.url);
    const body = await job();
    const at = (ms: number) =>
      new GatewaySignatures(
        [secretOfTwo],
        testClock(() => Date.now() + ms),
      ).sign('POST', jobsPath, body);
    const signed = () => signatures.sign('POST', jobsPath, body);
    const wrong = [
      ...[null, '', `Bearer ${clouds.tenant.api_key}`, clouds.tenant.api_key, 'Glasshouse-Gateway', signed().slice(0, -1)],
      new GatewaySignatures([`${secretOfTwo}!`], systemClock).sign('POST', jobsPath, body),
      signatures.sign('GET', jobsPath, body),
      signatures.sign('POST', `${jobsPath}/`, body),
      signatures.sign('POST', jobsPath, Buffer.from(`${body} `)),
      ...[at(-181_000), at(181_000)],
      ...[/time=\d/, /nonce=./, /body=./, /mac=./].map((part) =>
        signed().replace(part, (found) => `${found.slice(0, -1)}${found.endsWith('7') ? 8 : 7}`),
      ),
    ];
    for (const authorization of wrong) expect(await post(body, authorization), String(authorization)).toMatchObject(refused);
    const signedForOther = signed();
    const last = body.length - 2;
    expect(await post(Buffer.from(body).fill('x', last, last + 1), signedForOther)).toMatchObject(refused);
  });

  it('for another process, of another form or too large are refused with the reason', async () => {
    const { tenant_id, app_id } = clouds.tenant;
    const parts = { to: crypto.randomUUID(), scope: { tenant_id, app_id }, id: 'x', request: { type: 'get-evals' }, silenceMs: 1 };
    const send = (value: unknown) => {
      const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
      return post(body, signatures.sign('POST', jobsPath, body));
    };
    expect(await send(parts)).toMatchObject({ status: 404, code: 'not_found' });
    for (const value of ['', '{', '[]', {}, { ...parts, silenceMs: 0 }, { ...parts, more: 1 }, { ...parts, request: { type: 'x' } }])
      expect(await send(value)).toMatchObject({ status: 400, code: 'invalid_request_body' });
    expect(await send('x'.repeat(postBytesMax + 1))).toMatchObject({ status: 413, code: 'payload_too_large' });
    const body = Buffer.from('{}');
    expect(await post(body, signatures.sign('POST', '/internal/v1/other', body), '/internal/v1/other')).toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});
