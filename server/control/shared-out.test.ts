/** Sharing out new items: evenly, and never the same person twice for one item. */
import { expect, it } from 'vitest';
import { sharedOut } from './shared-out.ts';

const idle = ['a', 'b', 'c'].map((user_id) => ({ user_id, open: 0, all: 0 }));
const items = ['1', '2', '3', '4', '5', '6', '7'];

it('everybody gets as many items as the others, or one more', () => {
  const counts = idle.map(({ user_id }) => sharedOut(items, idle, 1).filter((each) => each.user_id === user_id).length);
  expect(counts).toEqual([3, 2, 2]);
});

it('those with fewer open items come first', () => {
  const loads = [
    { user_id: 'a', open: 5, all: 5 },
    { user_id: 'b', open: 3, all: 9 },
  ];
  expect(sharedOut(['1', '2', '3'], loads, 1).map(({ user_id }) => user_id)).toEqual(['b', 'b', 'a']);
});

it('of those with as many open items, who had fewer so far comes first', () => {
  const loads = [
    { user_id: 'a', open: 0, all: 2 },
    { user_id: 'b', open: 0, all: 1 },
  ];
  expect(sharedOut(['1'], loads, 1)).toEqual([{ item_id: '1', user_id: 'b' }]);
});

it('an item goes to different people, and to no more than there are', () => {
  expect(sharedOut(['1', '2'], idle, 2).map(({ item_id, user_id }) => item_id + user_id)).toEqual(['1a', '1b', '2c', '2a']);
  expect(sharedOut(['1'], idle, 9)).toHaveLength(3);
  expect(sharedOut(['1'], [], 1)).toEqual([]);
});
