import { expect, it } from 'vitest';
import { TimeLimit } from './time-limit.ts';

const signals = () => ({ closing: new Int32Array(new SharedArrayBuffer(4)), interrupt: new Int32Array(new SharedArrayBuffer(4)) });

it('a read ends when its time is over, and when the store is being closed', () => {
  const shared = signals();
  const [longLimit, expiredLimit] = [new TimeLimit(60_000, shared), new TimeLimit(-1, shared)];
  for (const limit of [longLimit, expiredLimit]) limit.begin();
  expect(longLimit.isLeft()).toBe(1);
  expect(() => expiredLimit.check()).toThrow(expect.objectContaining({ errorKind: 'slow' }));
  longLimit.begin({ id: 1, leftMs: -1 });
  expect(() => longLimit.check()).toThrow(expect.objectContaining({ errorKind: 'slow' }));
  Atomics.store(shared.closing, 0, 1);
  for (const call of [() => longLimit.check(), () => longLimit.isLeft(), () => longLimit.begin()])
    expect(call).toThrow(expect.objectContaining({ errorKind: 'stopping' }));
});

it('a read ends when its caller has left, and the next read does not end with it', () => {
  const shared = signals();
  const limit = new TimeLimit(60_000, shared);
  limit.begin({ id: 7, leftMs: 60_000 });
  limit.check();
  Atomics.store(shared.interrupt, 0, 7);
  expect(() => limit.check()).toThrow(expect.objectContaining({ errorKind: 'abandoned' }));
  limit.begin({ id: 8, leftMs: 60_000 });
  limit.check();
});
