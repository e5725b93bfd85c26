import { expect, it } from 'vitest';
import { wordsOf } from './text-words.ts';

it('every word of a text that a search narrows by is in its words, in any case', () => {
  const text = `The quick_Brown fox v2beta; über4 ${'the quick '.repeat(50)}`;
  const { words, may_have_others } = wordsOf(text);
  expect([words.split('\n'), may_have_others]).toEqual([['quick_brown', 'v2beta', 'ber4', 'quick'], 0]);
});

it.each([
  ['an escape', '\\u0041'],
  ['a control character', '\x01'],
  ['a list of numbers', '[1, 2]'],
  ['parts of a text', '{"text":"a"},{"text":"b"}'],
])('a text with %s may have what its words do not show', (_, part) => {
  expect(wordsOf(`plain words ${part}`.padEnd(2000, ' words'))).toEqual({ words: '', may_have_others: 1 });
});

it('a text of ever other words, such as encoded media, has none', () => {
  const encoded = Array.from({ length: 5000 }, (_, at) => `k${at}x`).join('/');
  expect(wordsOf(encoded)).toEqual({ words: '', may_have_others: 1 });
});
