import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventParser, openEventStream } from './event-stream.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A stream from a gateway that sends what the test tells it to, and the received events. */
function setUp(response?: Promise<Response>) {
  const received: string[] = [];
  let send = (_: string) => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      send = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const fetchMock = vi.fn((_path: string, _init: RequestInit) => response ?? Promise.resolve(new Response(body)));
  vi.stubGlobal('fetch', fetchMock);
  const stream = openEventStream(
    '/live',
    {},
    {
      open: () => received.push('open'),
      event: (name) => received.push(name),
      failed: (status) => received.push(`failed ${status}`),
    },
  );
  const isAborted = () => fetchMock.mock.calls[0]?.[1].signal?.aborted;
  return { received, stream, isAborted, send: (text: string) => send(text) };
}

it('reports each event once it is complete, however the text is split into chunks', () => {
  const text =
    'retry: 1000\n\nevent: commit\ndata: {"a":1}\n\n: beat\n\nevent: intake\ndata: x\ndata: y\n\ndata: z\n\nevent: late\ndata: no';
  for (const size of [1, 3, 7, text.length]) {
    const received: string[][] = [];
    const parse = eventParser((name, data) => received.push([name, data]));
    for (let at = 0; at < text.length; at += size) parse(text.slice(at, at + size));
    expect(received).toEqual([
      ['commit', '{"a":1}'],
      ['intake', 'x\ny'],
      ['message', 'z'],
    ]);
  }
});

it('fails after 40 s without data; a heartbeat is enough to keep it open', async () => {
  const { received, send, isAborted } = setUp();
  send('retry: 1000\n\n');
  for (let beat = 0; beat < 10; beat++) {
    await vi.advanceTimersByTimeAsync(39_000);
    send(': beat\n\n');
  }
  await vi.advanceTimersByTimeAsync(39_000);
  expect(received).toEqual(['open']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(received).toEqual(['open', 'failed null']);
  expect(isAborted()).toBe(true);
  send('event: commit\ndata: late\n\n');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual(['open', 'failed null']);
});

it('fails after ten seconds without a first event', async () => {
  const { received, isAborted } = setUp(new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(9999);
  expect(received).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(received).toEqual(['failed null']);
  expect(isAborted()).toBe(true);
});

it('reports nothing after it is closed', async () => {
  const { received, stream, isAborted } = setUp();
  await vi.advanceTimersByTimeAsync(0);
  stream.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual(['open']);
  expect(isAborted()).toBe(true);
});

it('reports a response that is not a stream once, with its status', async () => {
  const { received } = setUp(Promise.resolve(new Response('', { status: 503 })));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual(['failed 503']);
});
