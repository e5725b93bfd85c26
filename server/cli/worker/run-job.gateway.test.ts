/** Jobs of a worker and its connection, against a scripted gateway. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FromWorker, JobRequest } from '../../../shared/worker-frames.ts';
import { type ConnectionEnd, WorkerConnection } from './connection.ts';
import { WorkerGateway } from './gateway.ts';
import type { Handler } from './handler.ts';
import { runJob } from './run-job.ts';

describe('a prompt', () => {
  const framesOf = async (runPrompt: Handler['runPrompt'], data: Record<string, unknown> = {}): Promise<unknown[]> => {
    const frames: unknown[] = [];
    const context = { handler: { runPrompt, evals: {} }, gateway: new WorkerGateway('http://localhost', 'x') };
    const request: JobRequest = { type: 'prompt-run', data };
    await runJob(context, 'j', request, (frame) => frames.push(frame), new AbortController().signal);
    return frames;
  };
  const streaming = { options: { shouldStream: true } };
  async function* pieces() {
    yield 'one ';
    yield 'two';
  }

  it('is answered in one message', async () => {
    const answers = await framesOf(({ input, prompt }) => ({ result: `${JSON.stringify(input)} ${prompt?.path}`, finishReason: 'stop' }), {
      ...{ ast: { type: 'root' }, promptPath: 'a.prompt.mdx', customProps: { a: 1 } },
    });
    const result = { type: 'text', result: '{"a":1} a.prompt.mdx', toolCalls: [], toolResults: [], finishReason: 'stop', traceId: '' };
    expect(answers).toEqual([{ type: 'job-result', jobId: 'j', result }]);
  });

  it('is answered with an object, and with its usage under both names', async () => {
    const answers = await framesOf(() => ({ result: { a: 1 }, usage: { inputTokens: 2, outputTokens: 3 } }));
    const usage = { inputTokens: 2, outputTokens: 3, promptTokens: 2, completionTokens: 3, totalTokens: 5 };
    expect(answers).toEqual([{ type: 'job-result', jobId: 'j', result: { type: 'object', result: { a: 1 }, usage, traceId: '' } }]);
  });

  it('streams only when the request asks for it', async () => {
    const chunk = (value: object) => ({ type: 'job-stream-chunk', jobId: 'j', chunk: `${JSON.stringify(value)}\n` });
    expect(await framesOf(pieces, streaming)).toEqual([
      chunk({ type: 'text', result: 'one ' }),
      chunk({ type: 'text', result: 'two' }),
      { type: 'job-stream-end', jobId: 'j', traceId: '' },
    ]);
    expect(await framesOf(pieces)).toMatchObject([{ type: 'job-result', result: { type: 'text', result: 'one two' } }]);
    expect(await framesOf(() => 'at once', streaming)).toEqual([
      chunk({ type: 'text', result: 'at once' }),
      { type: 'job-stream-end', jobId: 'j', traceId: '' },
    ]);
    const object = await framesOf(() => ({ result: [1], finishReason: 'stop' }), streaming);
    expect(object.slice(0, 2)).toEqual([chunk({ type: 'object', result: [1] }), chunk({ type: 'text', finishReason: 'stop' })]);
  });

  it.each<[what: string, thrown: unknown, error: string]>([
    ['an error', new Error('no'), 'no'],
    ['a text', 'plain', 'plain'],
    ['a provider’s envelope', { error: { message: 'quota' } }, 'quota'],
    ['anything', 7, 'Unknown error'],
  ])('that throws %s fails with it', async (_, thrown, error) => {
    const throwing = () => {
      throw thrown;
    };
    expect(await framesOf(throwing)).toEqual([{ type: 'job-error', jobId: 'j', error }]);
  });
});

it('a dataset whose traces cannot be sent fails as a whole, and no further row runs', async () => {
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET';
    response.writeHead(isRead ? 200 : 403, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isRead ? [{ input: 0 }, { input: 1 }, { input: 2 }] : { error: { code: 'forbidden', message: 'no' } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway = new WorkerGateway(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'k');
  const inputs: unknown[] = [];
  const runPrompt: Handler['runPrompt'] = async ({ input, signal }) => {
    inputs.push(input);
    // The second row waits until it is aborted.
    if (input === 1) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const data = {
    ...{ appId: 'a', runId: 'r', experimentId: 'x', experimentKey: 'k', datasetPath: 'd.jsonl', promptPath: null, promptName: null },
    ...{ ast: null, commitSha: null, evals: [], concurrency: 2, rowLimit: null },
  };
  const frames: FromWorker[] = [];
  const signal = new AbortController().signal;
  await runJob({ handler: { runPrompt, evals: {} }, gateway }, 'j', { type: 'dataset-run', data }, (frame) => frames.push(frame), signal);
  expect(frames.at(-1)).toEqual({ type: 'job-error', jobId: 'j', error: 'POST /v1/traces: 403 forbidden: no' });
  expect(inputs).toEqual([0, 1]);
  server.close();
});

describe('the connection', () => {
  let server: WebSocketServer;
  afterEach(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });

  it('is opened again after 0.5 to 1 s; running jobs are reported as lost, and cancelled ones send nothing more', async () => {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const logged: string[] = [];
    const stop = new AbortController();
    let working = 0;
    const connection = new WorkerConnection({
      ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k', headers: {} },
      log: (text) => logged.push(text),
      runJob: async (jobId, _, sendFrame, signal) => {
        working++;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        sendFrame({ type: 'job-result', jobId, result: { type: 'text', result: 'unwanted' } });
      },
    });
    const first = once(server, 'connection');
    const end: Promise<ConnectionEnd> = connection.run(stop.signal);
    const [socket, request] = (await first) as [WebSocket, { headers: Record<string, string> }];
    expect(request.headers['authorization']).toBe('Bearer k');
    const framesFrom = (from: WebSocket): FromWorker[] => {
      const frames: FromWorker[] = [];
      from.on('message', (data) => frames.push(JSON.parse(String(data)) as FromWorker));
      return frames;
    };
    const before = framesFrom(socket);
    for (const jobId of ['running', 'cancelled']) socket.send(JSON.stringify({ type: 'job', jobId, request: { type: 'prompt-run' } }));
    for (const nonsense of ['{', '{"type":"job"}', 'null']) socket.send(nonsense);
    socket.send(JSON.stringify({ type: 'job-cancel', jobId: 'cancelled', reason: 'x' }));
    while (working < 2) await once(socket, 'message');
    const second = once(server, 'connection');
    socket.terminate();
    const [next] = (await second) as [WebSocket];
    const after = framesFrom(next);
    while (after.length < 2) await once(next, 'message');
    expect(after.map((frame) => ('jobId' in frame ? [frame.type, frame.jobId] : frame.type))).toEqual([
      'heartbeat',
      ['job-error', 'running'],
    ]);
    expect(before.every(({ type }) => type === 'heartbeat')).toBe(true);
    const closed = once(next, 'close');
    stop.abort();
    expect(await end).toEqual({ kind: 'stopped' });
    expect((await closed).map(String)).toEqual(['1000', 'Client shutting down']);
    expect(logged.filter((text) => text.includes('trying again'))).toEqual([expect.stringMatching(/trying again in (0\.[5-9]|1\.0) s$/)]);
  });
});
