import { expect, it } from 'vitest';
import { AdmissionControl, IngestOverload, queueLimits } from './admission.ts';

const MiB = 1024 * 1024;
const quarter = queueLimits.bytesMax / 4;

it('announced bytes hold no capacity, received bytes do', () => {
  const admission = new AdmissionControl();
  const requests = Array.from({ length: 100 }, () => admission.admit(20 * MiB));
  for (const { release } of requests) release();
  const [first, second] = [admission.admit(), admission.admit()];
  first.arrived(2 * quarter);
  second.arrived(quarter);
  expect(() => admission.admit()).toThrow(IngestOverload);
});

it('a growing body finds capacity where a new request does not, and releases its whole share when there is none', () => {
  const admission = new AdmissionControl();
  const [full, growing, third] = [admission.admit(), admission.admit(), admission.admit()];
  full.arrived(2 * quarter);
  growing.arrived(quarter);
  expect(() => admission.admit()).toThrow(IngestOverload);
  third.arrived(quarter);
  expect(() => growing.arrived(quarter + 1)).toThrow(IngestOverload);
  third.arrived(quarter + MiB);
  growing.release();
  full.arrived(3 * quarter - MiB);
});

it('a body that cannot fit is refused by its Content-Length, a single request never', () => {
  const admission = new AdmissionControl();
  const alone = admission.admit(queueLimits.bytesMax);
  alone.arrived(2 * quarter);
  expect(() => admission.admit(2 * quarter + 1)).toThrow(IngestOverload);
  alone.arrived(2 * queueLimits.bytesMax);
  expect(() => admission.admit()).toThrow(IngestOverload);
  alone.release();
  alone.release();
  admission.admit(queueLimits.bytesMax).release();
});

it('requests refused together get different retry times', () => {
  const admission = new AdmissionControl();
  admission.admit().arrived(queueLimits.bytesMax);
  const waits = Array.from({ length: 200 }, () => {
    try {
      admission.admit();
    } catch (error) {
      return (error as IngestOverload).retryAfterSeconds;
    }
    return 0;
  });
  expect(new Set(waits)).toEqual(new Set([1, 2, 3, 4, 5]));
});

it('is empty once every request is released', async () => {
  const admission = new AdmissionControl();
  const [first, second] = [admission.admit(), admission.admit()];
  let isEmpty = false;
  const emptied = admission.emptied().then(() => (isEmpty = true));
  first.release();
  await Promise.resolve();
  expect(isEmpty).toBe(false);
  second.release();
  await emptied;
});
