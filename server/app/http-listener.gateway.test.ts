/** The listener of a gateway before it has an application and while it stops, and the requests that its guard sees. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchange, openSocket, requestText } from '../fixtures/raw-socket.ts';
import { localShares } from '../limits/share-table.ts';
import type { Guard } from './guard.ts';
import { HttpListener } from './http-listener.ts';
import { Shares } from './shares.ts';

const listenerWith = (guard: Guard) => new HttpListener(() => guard, new Shares(localShares(1024)));

let listener: HttpListener;
let guarded: string[];
beforeEach(async () => {
  guarded = [];
  listener = listenerWith((request, response) => {
    guarded.push(request.url ?? '');
    if (request.url !== '/forbidden') return 'pass';
    response.writeHead(403).end();
    return 'answered';
  });
  await listener.listen('127.0.0.1', 0);
});
afterEach(() => listener.close());

const ask = (line: string) => exchange(listener.port, requestText(line, ['Host: x']));
const ok = (_: IncomingMessage, response: ServerResponse) => void response.end('ok');

describe('a listener', () => {
  it('says that the gateway is starting, until it has an application', async () => {
    const answer = await ask('POST /v1/traces');
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      error: { code: 'service_unavailable', message: 'The gateway is starting', retry_after_seconds: 1 },
    });
    listener.open(ok);
    expect(await ask('GET /')).toMatchObject({ status: 200, body: 'ok' });
  });

  it('asks the guard first, whether there is an application or not', async () => {
    expect((await ask('GET /forbidden'))?.status).toBe(403);
    listener.open(ok);
    expect((await ask('GET /forbidden'))?.status).toBe(403);
    expect(guarded).toEqual(['/forbidden', '/forbidden']);
  });

  it('does not share its port', async () => {
    await expect(listenerWith(() => 'pass').listen('127.0.0.1', listener.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('that stops refuses writes, still answers reads, and keeps no connection open', async () => {
    listener.open(ok);
    listener.refuseNewWork();
    expect(await ask('POST /v1/traces')).toMatchObject({ status: 503, body: expect.stringContaining('shutting down') });
    const answer = await ask('GET /health');
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
  });
});

describe('a listener that closes', () => {
  it('finishes an answer in flight, and cuts a stream that would never end', async () => {
    const pending: ServerResponse[] = [];
    listener.open((request, response) => {
      if (request.url === '/stream') response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 1\n\n');
      else pending.push(response);
    });
    const [stream, question] = [openSocket(listener.port), openSocket(listener.port)];
    stream.write(requestText('GET /stream', ['Host: x']));
    expect((await stream.answer())?.status).toBe(200);
    question.write(requestText('GET /question', ['Host: x']));
    while (pending.length === 0) await new Promise(setImmediate);
    const closing = listener.close();
    pending[0]?.end('an answer');
    expect(await question.answer()).toMatchObject({ status: 200, body: 'an answer' });
    await closing;
    await stream.closed;
    listener = listenerWith(() => 'pass');
  });

  it('does not wait for an answer that never comes', async () => {
    listener.open(() => {});
    const question = openSocket(listener.port);
    question.write(requestText('GET /question', ['Host: x']));
    while (guarded.length === 0) await new Promise(setImmediate);
    await listener.close();
    expect(await question.answer()).toBeNull();
    listener = listenerWith(() => 'pass');
  });
});
