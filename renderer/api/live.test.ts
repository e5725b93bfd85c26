import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { concerns, Live, type OpenStream, retryDelayMs, type Signal } from './live.ts';
import { RefreshPacer } from './refresh-pacer.ts';

type On = Parameters<OpenStream>[0];

function setUp() {
  const streams: { on: On; closed: boolean }[] = [];
  const live = new Live((on) => {
    const stream = { on, closed: false };
    streams.push(stream);
    return { close: () => (stream.closed = true) };
  });
  const signals: Signal[] = [];
  live.listen((signal) => signals.push(signal));
  return { live, streams, signals, last: () => streams.at(-1)?.on as On };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('passes commits on', () => {
  const { live, signals, last } = setUp();
  live.connect();
  last().open();
  last().commit('{"trace_ids":["t"],"span_count":2,"more":false}');
  expect(live.state.phase).toBe('live');
  expect(signals).toEqual([{ gap: false, trace_ids: ['t'], span_count: 2, more: false }]);
});

it('holds a request until the stream is open, and then has no gap', async () => {
  const { live, signals, last } = setUp();
  live.connect();
  let isReleased = false;
  const waiting = live.beforeRequest().then(() => {
    isReleased = true;
  });
  await vi.advanceTimersByTimeAsync(100);
  expect(isReleased).toBe(false);
  last().open();
  await waiting;
  expect(signals).toEqual([]);
});

it('releases a request when the stream is slow or fails, and reports a gap later', async () => {
  const slow = setUp();
  slow.live.connect();
  const waiting = slow.live.beforeRequest();
  await vi.advanceTimersByTimeAsync(300);
  await waiting;
  slow.last().open();
  expect(slow.signals).toEqual([{ gap: true }]);

  const failing = setUp();
  failing.live.connect();
  const afterFailure = failing.live.beforeRequest();
  failing.last().failed();
  await afterFailure;
  // No request waits for the second attempt.
  await failing.live.beforeRequest();
  await vi.advanceTimersByTimeAsync(500);
  failing.last().open();
  expect(failing.signals).toEqual([{ gap: true }]);
});

it('reconnects by itself with growing delays, and then reports a gap', () => {
  const { live, streams, signals, last } = setUp();
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
  expect(signals).toEqual([{ gap: true }]);
  expect(streams.map((stream) => stream.closed)).toEqual([true, true, false]);
});

it('connects at once on request, and only once', () => {
  const { live, streams, last } = setUp();
  live.connect();
  last().failed();
  live.connect();
  expect(streams).toHaveLength(2);
  last().open();
  vi.advanceTimersByTime(60_000);
  live.connect();
  expect(streams).toHaveLength(2);
});

it('disconnects while it sleeps and reports a gap afterwards', () => {
  const { live, signals, last, streams } = setUp();
  live.connect();
  last().open();
  live.sleep();
  expect(live.state.phase).toBe('asleep');
  expect(streams[0]?.closed).toBe(true);
  live.connect();
  last().open();
  expect(signals).toEqual([{ gap: true }]);
});

it('reports a gap for an event that it cannot parse', () => {
  const { live, signals, last } = setUp();
  live.connect();
  last().open();
  last().commit('{');
  expect(signals).toEqual([{ gap: true }]);
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

it('refreshes at once, then after the response and a pause once for all requests in between', async () => {
  let finish = () => {};
  const refresh = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const pacer = new RefreshPacer(refresh);
  pacer.request();
  pacer.request();
  expect(refresh).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(100);
  finish();
  await vi.advanceTimersByTimeAsync(249);
  expect(refresh).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60);
  expect(refresh).toHaveBeenCalledTimes(2);
  finish();
  await vi.advanceTimersByTimeAsync(5000);
  expect(refresh).toHaveBeenCalledTimes(2);
  pacer.request();
  expect(refresh).toHaveBeenCalledTimes(3);
});
