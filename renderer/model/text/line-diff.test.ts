import { expect, it } from 'vitest';
import { lineDiff } from './line-diff.ts';

const numbered = (count: number, change: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, at) => change[at] ?? `line ${at}`)
    .map((line) => `${line}\n`)
    .join('');

const rowTexts = (before: string, after: string) =>
  lineDiff(before, after).rows.map((row) =>
    row.kind === 'gap' ? `… ${row.count}` : `${{ same: ' ', added: '+', removed: '-' }[row.kind]}${row.text}`,
  );

it('shows what changed with three lines around it', () => {
  expect(rowTexts(numbered(20), numbered(20, { 10: 'other' }))).toEqual([
    '… 7',
    ...[' line 7', ' line 8', ' line 9', '-line 10', '+other', ' line 11', ' line 12', ' line 13'],
    '… 6',
  ]);
  // One line is shown, not counted.
  expect(rowTexts(numbered(5), numbered(5, { 0: 'other' }))).toEqual(['-line 0', '+other', ' line 1', ' line 2', ' line 3', ' line 4']);
  expect(lineDiff(numbered(20), numbered(20, { 3: 'a', 9: 'b' }))).toMatchObject({ added: 2, removed: 2 });
});

it('shows a text completely when the other one is empty', () => {
  expect(rowTexts('', 'a\nb\n')).toEqual(['+a', '+b']);
  expect(rowTexts('a\n\n', '')).toEqual(['-a', '-']);
  expect(rowTexts('', '')).toEqual([]);
  expect(rowTexts(numbered(3), numbered(3))).toEqual(['… 3']);
});
