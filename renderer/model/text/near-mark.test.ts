import { expect, it } from 'vitest';
import { nearMark } from './near-mark.ts';

const shown = (text: string, ...words: string[]) => {
  const marks = words.map((word) => [text.indexOf(word), text.indexOf(word) + word.length] as const);
  const near = nearMark({ text, marks });
  return [near.text, ...near.marks.map(([start, end]) => near.text.slice(start, end))];
};

it('a marked text begins with the word before its first mark, and marks the same words', () => {
  expect(shown('When will the refund arrive?', 'refund', 'arrive')).toEqual(['…the refund arrive?', 'refund', 'arrive']);
  expect(shown('The refund', 'refund')).toEqual(['The refund', 'refund']);
  expect(shown(`${'x'.repeat(40)}refund`, 'refund')).toEqual([`…${'x'.repeat(10)}refund`, 'refund']);
  expect(shown('A text without marks that is long')).toEqual(['A text without marks that is long']);
});
