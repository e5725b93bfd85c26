import { expect, it } from 'vitest';
import { arrangeColumns, moveColumn } from './column-choice.ts';

const column = (id: string, isHidden = false, width: number | null = null) => ({ id, isHidden, width });
const all = [{ id: 'a' }, { id: 'b' }, { id: 'c', isExtra: true }];

it('offers every column once; extra ones are hidden until they are chosen', () => {
  expect(arrangeColumns(all, [])).toEqual([column('a'), column('b'), column('c', true)]);
});

it('keeps the chosen order and widths, drops columns that no longer exist and inserts new ones', () => {
  const chosen = [column('c', false, 90), column('gone'), column('a'), column('c')];
  expect(arrangeColumns(all, chosen)).toEqual([column('c', false, 90), column('a'), column('b')]);
});

it('moves a column by one position, and never past the ends', () => {
  const columns = arrangeColumns(all, []);
  expect(moveColumn(columns, 'b', -1).map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  expect(moveColumn(columns, 'a', -1)).toEqual(columns);
});
