import { expect, it } from 'vitest';
import { IngestOverload, IngestRoom, queueLimits } from './admission.ts';

const MiB = 1024 * 1024;
const quarter = queueLimits.bytesMax / 4;

it('what is announced holds no room, what arrives does', () => {
  const room = new IngestRoom();
  const announced = Array.from({ length: 100 }, () => room.admit(20 * MiB));
  for (const { release } of announced) release();
  const [first, second] = [room.admit(), room.admit()];
  first.arrived(2 * quarter);
  second.arrived(quarter);
  expect(() => room.admit()).toThrow(IngestOverload);
});

it('a body that grows finds room where a newcomer does not, and gives back all it held when there is none', () => {
  const room = new IngestRoom();
  const [full, growing, third] = [room.admit(), room.admit(), room.admit()];
  full.arrived(2 * quarter);
  growing.arrived(quarter);
  expect(() => room.admit()).toThrow(IngestOverload);
  third.arrived(quarter);
  expect(() => growing.arrived(quarter + 1)).toThrow(IngestOverload);
  third.arrived(quarter + MiB);
  growing.release();
  full.arrived(3 * quarter - MiB);
});

it('a body that cannot fit is refused by what is announced, and one that is alone never', () => {
  const room = new IngestRoom();
  const alone = room.admit(queueLimits.bytesMax);
  alone.arrived(2 * quarter);
  expect(() => room.admit(2 * quarter + 1)).toThrow(IngestOverload);
  alone.arrived(2 * queueLimits.bytesMax);
  expect(() => room.admit()).toThrow(IngestOverload);
  alone.release();
  alone.release();
  room.admit(queueLimits.bytesMax).release();
});

it('those who are refused together do not come back together', () => {
  const room = new IngestRoom();
  room.admit().arrived(queueLimits.bytesMax);
  const waits = Array.from({ length: 200 }, () => {
    try {
      room.admit();
    } catch (error) {
      return (error as IngestOverload).retryAfterSeconds;
    }
    return 0;
  });
  expect(new Set(waits)).toEqual(new Set([1, 2, 3, 4, 5]));
});

it('is empty once everybody left', async () => {
  const room = new IngestRoom();
  const [one, other] = [room.admit(), room.admit()];
  let isEmpty = false;
  const emptied = room.emptied().then(() => (isEmpty = true));
  one.release();
  await Promise.resolve();
  expect(isEmpty).toBe(false);
  other.release();
  await emptied;
});
