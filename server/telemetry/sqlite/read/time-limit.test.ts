import { expect, it } from 'vitest';
import { TimeLimit } from './time-limit.ts';

it('a read ends when its time is over, and when the store is being closed', () => {
  const closing = new Int32Array(new SharedArrayBuffer(4));
  const [patient, hasty] = [new TimeLimit(60_000, closing), new TimeLimit(-1, closing)];
  for (const limit of [patient, hasty]) limit.begin();
  expect(patient.isLeft()).toBe(1);
  expect(() => hasty.check()).toThrow(expect.objectContaining({ trouble: 'slow' }));
  Atomics.store(closing, 0, 1);
  for (const ask of [() => patient.check(), () => patient.isLeft(), () => patient.begin()])
    expect(ask).toThrow(expect.objectContaining({ trouble: 'stopping' }));
});
