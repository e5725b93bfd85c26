import { expect, it } from 'vitest';
import { arranged, moved } from './column-choice.ts';

const column = (id: string, isHidden = false, width: number | null = null) => ({ id, isHidden, width });
const all = [{ id: 'a' }, { id: 'b' }, { id: 'c', isExtra: true }];

it('offers every column once; extra ones are hidden until they are chosen', () => {
  expect(arranged(all, [])).toEqual([column('a'), column('b'), column('c', true)]);
});

it('keeps the chosen order and widths, forgets columns that are gone and places new ones', () => {
  const chosen = [column('c', false, 90), column('gone'), column('a'), column('c')];
  expect(arranged(all, chosen)).toEqual([column('c', false, 90), column('a'), column('b')]);
});

it('moves a column one place, and never over an edge', () => {
  const columns = arranged(all, []);
  expect(moved(columns, 'b', -1).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  expect(moved(columns, 'a', -1)).toEqual(columns);
});
