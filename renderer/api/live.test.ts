import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { concerns, Live, type OpenStream, retryDelayMs, type Signal } from './live.ts';
import { Paced } from './paced.ts';

type On = Parameters<OpenStream>[0];

function rig() {
  const streams: { on: On; closed: boolean }[] = [];
  const live = new Live((on) => {
    const stream = { on, closed: false };
    streams.push(stream);
    return { close: () => (stream.closed = true) };
  });
  const heard: Signal[] = [];
  live.listen((signal) => heard.push(signal));
  return { live, streams, heard, last: () => streams.at(-1)?.on as On };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('passes commits on', () => {
  const { live, heard, last } = rig();
  live.connect();
  last().open();
  last().commit('{"trace_ids":["t"],"span_count":2,"more":false}');
  expect(live.state.phase).toBe('live');
  expect(heard).toEqual([{ gap: false, trace_ids: ['t'], span_count: 2, more: false }]);
});

it('holds a question until the stream stands, and then has missed nothing', async () => {
  const { live, heard, last } = rig();
  live.connect();
  let isAsked = false;
  const asked = live.beforeAsking().then(() => {
    isAsked = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(isAsked).toBe(false);
  last().open();
  await asked;
  expect(heard).toEqual([]);
});

it('lets a question go when the stream is slow or fails, and says later that something may have been missed', async () => {
  const slow = rig();
  slow.live.connect();
  const asked = slow.live.beforeAsking();
  await vi.advanceTimersByTimeAsync(300);
  await asked;
  slow.last().open();
  expect(slow.heard).toEqual([{ gap: true }]);

  const failing = rig();
  failing.live.connect();
  const refused = failing.live.beforeAsking();
  failing.last().failed();
  await refused;
  // Nobody waits for the second try.
  await failing.live.beforeAsking();
  await vi.advanceTimersByTimeAsync(500);
  failing.last().open();
  expect(failing.heard).toEqual([{ gap: true }]);
});

it('comes back by itself, later each time, and then says that there was a gap', () => {
  const { live, streams, heard, last } = rig();
  live.connect();
  last().open();
  last().failed();
  expect(live.state).toMatchObject({ phase: 'waiting', failures: 1 });
  vi.advanceTimersByTime(500);
  expect(streams).toHaveLength(2);
  last().failed();
  vi.advanceTimersByTime(700);
  expect(streams).toHaveLength(2);
  vi.advanceTimersByTime(300);
  last().open();
  expect(heard).toEqual([{ gap: true }]);
  expect(streams.map((stream) => stream.closed)).toEqual([true, true, false]);
});

it('tries at once when asked to, and only once', () => {
  const { live, streams, last } = rig();
  live.connect();
  last().failed();
  live.connect();
  expect(streams).toHaveLength(2);
  last().open();
  vi.advanceTimersByTime(60_000);
  live.connect();
  expect(streams).toHaveLength(2);
});

it('lets go while nobody looks and catches up after', () => {
  const { live, heard, last, streams } = rig();
  live.connect();
  last().open();
  live.sleep();
  expect(live.state.phase).toBe('asleep');
  expect(streams[0]?.closed).toBe(true);
  live.connect();
  last().open();
  expect(heard).toEqual([{ gap: true }]);
});

it('takes an event it cannot read for a gap', () => {
  const { live, heard, last } = rig();
  live.connect();
  last().open();
  last().commit('{');
  expect(heard).toEqual([{ gap: true }]);
});

it('waits half a second at first and never more than ten', () => {
  expect(retryDelayMs(1, 0)).toBe(500);
  expect(retryDelayMs(3, 0)).toBe(2000);
  expect(retryDelayMs(50, 0)).toBe(10_000);
  expect(retryDelayMs(50, 1)).toBe(8000);
});

it('knows which trace an event is about', () => {
  const event = { gap: false as const, trace_ids: ['a'], span_count: 1, more: false };
  expect([concerns(event, 'a'), concerns(event, 'b'), concerns({ ...event, more: true }, 'b'), concerns({ gap: true }, 'b')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

it('asks at once, then not again before the answer and a pause, then once for everything in between', async () => {
  let finish = () => {};
  const ask = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const paced = new Paced(ask);
  paced.want();
  paced.want();
  expect(ask).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  finish();
  await vi.advanceTimersByTimeAsync(249);
  expect(ask).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60);
  expect(ask).toHaveBeenCalledTimes(2);
  finish();
  await vi.advanceTimersByTimeAsync(5000);
  expect(ask).toHaveBeenCalledTimes(2);
  paced.want();
  expect(ask).toHaveBeenCalledTimes(3);
});
