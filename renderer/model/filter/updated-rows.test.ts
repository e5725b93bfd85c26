import { expect, it } from 'vitest';
import { updateRows } from './updated-rows.ts';

it('keeps the rows and their order, with new values where they have some', () => {
  const current = [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
  ];
  const latest = [
    { id: 'c', n: 1 },
    { id: 'a', n: 2 },
  ];
  expect(updateRows(current, latest)).toEqual([
    { id: 'a', n: 2 },
    { id: 'b', n: 1 },
  ]);
});
