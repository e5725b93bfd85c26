import { expect, it } from 'vitest';
import { SlowEntries } from './slow-entries.ts';

it('an entry is too large when others are stored between its failures, again and again', () => {
  const entries = new SlowEntries();
  const tries = Array.from({ length: 30 }, (_, number) => {
    entries.stored(`other ${number}`);
    return entries.failed('large');
  });
  expect(tries.indexOf(true)).toBe(29);
});

it('no entry is too large while the database stores nothing', () => {
  const entries = new SlowEntries();
  entries.stored('one');
  for (let count = 0; count < 1000; count++) for (const id of ['a', 'b']) expect(entries.failed(id)).toBe(false);
  entries.stored('a');
  expect(entries.failed('b')).toBe(false);
});
