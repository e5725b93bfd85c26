/** The sockets of a gateway before it has an application, while it stops, and what its guard sees. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchange, openSocket, requestText } from '../fixtures/raw-socket.ts';
import { localShares } from '../limits/share-table.ts';
import { Front } from './front.ts';
import type { Guard } from './guard.ts';
import { Shares } from './shares.ts';

const frontWith = (guard: Guard) => new Front(() => guard, new Shares(localShares(1024)));

let front: Front;
let guarded: string[];
beforeEach(async () => {
  guarded = [];
  front = frontWith((request, response) => {
    guarded.push(request.url ?? '');
    if (request.url !== '/forbidden') return 'pass';
    response.writeHead(403).end();
    return 'answered';
  });
  await front.listen('127.0.0.1', 0);
});
afterEach(() => front.close());

const ask = (line: string) => exchange(front.port, requestText(line, ['Host: x']));
const ok = (_: IncomingMessage, response: ServerResponse) => void response.end('ok');

describe('a front', () => {
  it('says that the gateway is starting, until there is one', async () => {
    const answer = await ask('POST /v1/traces');
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      error: { code: 'service_unavailable', message: 'The gateway is starting', retry_after_seconds: 1 },
    });
    front.open(ok);
    expect(await ask('GET /')).toMatchObject({ status: 200, body: 'ok' });
  });

  it('asks the guard first, whether there is an application or not', async () => {
    expect((await ask('GET /forbidden'))?.status).toBe(403);
    front.open(ok);
    expect((await ask('GET /forbidden'))?.status).toBe(403);
    expect(guarded).toEqual(['/forbidden', '/forbidden']);
  });

  it('does not share its port', async () => {
    await expect(frontWith(() => 'pass').listen('127.0.0.1', front.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('that stops refuses new work, still answers questions, and keeps no connection', async () => {
    front.open(ok);
    front.refuseNewWork();
    expect(await ask('POST /v1/traces')).toMatchObject({ status: 503, body: expect.stringContaining('shutting down') });
    const answer = await ask('GET /health');
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
  });
});

describe('a front that closes', () => {
  it('lets an answer leave that is on its way, and cuts what would never end', async () => {
    const waiting: ServerResponse[] = [];
    front.open((request, response) => {
      if (request.url === '/stream') response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('retry: 1\n\n');
      else waiting.push(response);
    });
    const [stream, question] = [openSocket(front.port), openSocket(front.port)];
    stream.write(requestText('GET /stream', ['Host: x']));
    expect((await stream.answer())?.status).toBe(200);
    question.write(requestText('GET /question', ['Host: x']));
    while (waiting.length === 0) await new Promise(setImmediate);
    const closing = front.close();
    waiting[0]?.end('an answer');
    expect(await question.answer()).toMatchObject({ status: 200, body: 'an answer' });
    await closing;
    await stream.closed;
    front = frontWith(() => 'pass');
  });

  it('does not wait for ever for an answer that does not come', async () => {
    front.open(() => {});
    const question = openSocket(front.port);
    question.write(requestText('GET /question', ['Host: x']));
    while (guarded.length === 0) await new Promise(setImmediate);
    await front.close();
    expect(await question.answer()).toBeNull();
    front = frontWith(() => 'pass');
  });
});
