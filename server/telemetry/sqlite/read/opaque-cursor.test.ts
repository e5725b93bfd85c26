import { expect, it } from 'vitest';
import { newCursorKey, OpaqueCursors } from './opaque-cursor.ts';

const cursors = new OpaqueCursors(newCursorKey());
const some = [0, 1, 2, 3, 4, 1000, 2 ** 24 - 1, 2 ** 24, 2 ** 40 + 17, 2 ** 48 - 1];

it('a number comes back as it was', () => {
  for (const number of some) expect(cursors.decrypt(1, cursors.encrypt(1, number))).toBe(number);
});

it('what is told is a number of 48 bits, another in each scope, and keeps no order', () => {
  const told = some.map((number) => cursors.encrypt(1, number));
  for (const number of told) expect(Number.isSafeInteger(number) && number >= 0 && number < 2 ** 48).toBe(true);
  expect(new Set(told).size).toBe(some.length);
  expect(some.map((number) => cursors.encrypt(2, number))).not.toEqual(told);
  const many = Array.from({ length: 50 }, (_, number) => cursors.encrypt(1, number));
  expect(many.toSorted((a, b) => a - b)).not.toEqual(many);
});

it('what another store told is most likely very large', () => {
  const told = new OpaqueCursors(newCursorKey()).encrypt(1, 7);
  expect(cursors.decrypt(1, told)).not.toBe(7);
});
