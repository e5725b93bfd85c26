import { expect, it } from 'vitest';
import { newCursorKey, OpaqueCursors } from './opaque-cursor.ts';

const cursors = new OpaqueCursors(newCursorKey());
const numbers = [0, 1, 2, 3, 4, 1000, 2 ** 24 - 1, 2 ** 24, 2 ** 40 + 17, 2 ** 48 - 1];

it('a cursor decrypts to the number that was encrypted', () => {
  for (const number of numbers) expect(cursors.decrypt(1, cursors.encrypt(1, number))).toBe(number);
});

it('cursors are 48-bit numbers, differ between scopes and do not keep the order', () => {
  const encrypted = numbers.map((number) => cursors.encrypt(1, number));
  for (const number of encrypted) expect(Number.isSafeInteger(number) && number >= 0 && number < 2 ** 48).toBe(true);
  expect(new Set(encrypted).size).toBe(numbers.length);
  expect(numbers.map((number) => cursors.encrypt(2, number))).not.toEqual(encrypted);
  const many = Array.from({ length: 50 }, (_, number) => cursors.encrypt(1, number));
  expect(many.toSorted((a, b) => a - b)).not.toEqual(many);
});

it('a cursor of another store decrypts to another number', () => {
  const encrypted = new OpaqueCursors(newCursorKey()).encrypt(1, 7);
  expect(cursors.decrypt(1, encrypted)).not.toBe(7);
});
