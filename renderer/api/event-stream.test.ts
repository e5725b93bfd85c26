import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eventsIn, openEventStream } from './event-stream.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A stream to a gateway that says what the test lets it say, and what was heard of it. */
function rig(answer?: Promise<Response>) {
  const heard: string[] = [];
  let say = (_: string) => {};
  const words = new ReadableStream<Uint8Array>({
    start: (controller) => {
      say = (text) => controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const asked = vi.fn((_path: string, _init: RequestInit) => answer ?? Promise.resolve(new Response(words)));
  vi.stubGlobal('fetch', asked);
  const stream = openEventStream(
    '/live',
    {},
    {
      open: () => heard.push('open'),
      event: (name) => heard.push(name),
      failed: (status) => heard.push(`failed ${status}`),
    },
  );
  const isLetGo = () => asked.mock.calls[0]?.[1].signal?.aborted;
  return { heard, stream, isLetGo, say: (text: string) => say(text) };
}

it('tells of each event once it is whole, however the text was cut', () => {
  const text =
    'retry: 1000\n\nevent: commit\ndata: {"a":1}\n\n: beat\n\nevent: intake\ndata: x\ndata: y\n\ndata: z\n\nevent: late\ndata: no';
  for (const size of [1, 3, 7, text.length]) {
    const heard: string[][] = [];
    const hear = eventsIn((name, data) => heard.push([name, data]));
    for (let at = 0; at < text.length; at += size) hear(text.slice(at, at + size));
    expect(heard).toEqual([
      ['commit', '{"a":1}'],
      ['intake', 'x\ny'],
      ['message', 'z'],
    ]);
  }
});

it('takes a gateway that is silent for 40 s for one that does not answer: a beat is enough to be heard', async () => {
  const { heard, say, isLetGo } = rig();
  say('retry: 1000\n\n');
  for (let beat = 0; beat < 10; beat++) {
    await vi.advanceTimersByTimeAsync(39_000);
    say(': beat\n\n');
  }
  await vi.advanceTimersByTimeAsync(39_000);
  expect(heard).toEqual(['open']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(heard).toEqual(['open', 'failed null']);
  expect(isLetGo()).toBe(true);
  say('event: commit\ndata: late\n\n');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard).toEqual(['open', 'failed null']);
});

it('does not wait longer than ten seconds for the first words', async () => {
  const { heard, isLetGo } = rig(new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(9999);
  expect(heard).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(heard).toEqual(['failed null']);
  expect(isLetGo()).toBe(true);
});

it('says nothing more once it is let go', async () => {
  const { heard, stream, isLetGo } = rig();
  await vi.advanceTimersByTimeAsync(0);
  stream.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard).toEqual(['open']);
  expect(isLetGo()).toBe(true);
});

it('tells of an answer that is no stream once, with its status', async () => {
  const { heard } = rig(Promise.resolve(new Response('', { status: 503 })));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(heard).toEqual(['failed 503']);
});
