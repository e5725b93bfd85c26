import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { OpaqueCursors } from './opaque-cursor.ts';

const key = randomBytes(16);
const cursors = new OpaqueCursors(() => key);
const ids = [0, 1, 2, 3, 4, 1000, 2 ** 24 - 1, 2 ** 24, 2 ** 40 + 17, 2 ** 48 - 1];
const scopes = [-1, 1, 7, 2 ** 40];

it('a cursor decrypts to the id that was encrypted, with the same key elsewhere too', () => {
  const elsewhere = new OpaqueCursors(() => Uint8Array.from(key));
  for (const scope of scopes)
    for (const id of ids) expect(elsewhere.decrypt('arrivedTraces', scope, cursors.encrypt('arrivedTraces', scope, id))).toBe(id);
});

it('equal ids have equal cursors, which differ between scopes and do not keep the order', () => {
  const encrypted = ids.map((id) => cursors.encrypt('arrivedTraces', 1, id));
  expect(ids.map((id) => cursors.encrypt('arrivedTraces', 1, id))).toEqual(encrypted);
  expect(new Set(encrypted).size).toBe(ids.length);
  const ofAnother = new Set(ids.filter((id) => id > 0).map((id) => cursors.encrypt('arrivedTraces', 2, id)));
  expect(encrypted.filter((cursor) => ofAnother.has(cursor))).toEqual([]);
  const many = Array.from({ length: 50 }, (_, id) => cursors.encrypt('arrivedTraces', 1, id));
  expect(many.toSorted()).not.toEqual(many);
});

it('nothing else is a cursor: of another scope, purpose or store, or with one character changed', () => {
  const cursor = cursors.encrypt('arrivedTraces', 1, 7);
  const changed = Array.from(cursor, (character, at) => cursor.slice(0, at) + (character === '0' ? '1' : '0') + cursor.slice(at + 1));
  for (const other of [...changed, '', cursor.toUpperCase(), ` ${cursor}`, `${cursor}00`].filter((each) => each !== cursor))
    expect([other, cursors.decrypt('arrivedTraces', 1, other)]).toEqual([other, null]);
  expect(cursors.decrypt('arrivedTraces', 2, cursor)).toBe(null);
  expect(cursors.decrypt('searchedSpans', 1, cursor)).toBe(null);
  expect(new OpaqueCursors(() => randomBytes(16)).decrypt('arrivedTraces', 1, cursor)).toBe(null);
});
