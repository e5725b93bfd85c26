import { expect, it } from 'vitest';
import { isSettled, placeIn, tokensOf } from './filter-place.ts';

/** `|` marks the cursor. */
const at = (text: string) => placeIn(text.replace('|', ''), text.indexOf('|'));

it.each([
  ['|', { expects: 'field', from: 0, typed: '' }],
  ['mo|', { expects: 'field', from: 0, typed: 'mo' }],
  ['metadata.re|', { expects: 'field', from: 0, typed: 'metadata.re' }],
  ['model |', { expects: 'operator', from: 6, typed: '', field: 'model' }],
  ['model not con|', { expects: 'operator', from: 6, typed: 'not con', field: 'model' }],
  ['model = |', { expects: 'value', from: 8, typed: '', field: 'model', isQuoted: false }],
  ['model=gp|', { expects: 'value', from: 6, typed: 'gp', field: 'model', isQuoted: false }],
  ['model = "a b|', { expects: 'value', from: 9, typed: 'a b', field: 'model', isQuoted: true }],
  ['model = gpt |', { expects: 'joiner', from: 12, typed: '', joiner: 'and' }],
  ['metadata.k exists |', { expects: 'joiner', from: 18, typed: '', joiner: 'and' }],
  ['(model = a |', { expects: 'joiner', from: 11, typed: '', joiner: 'or' }],
  ['(model = a or |', { expects: 'field', from: 14, typed: '' }],
  ['(model = a or model = b) a|', { expects: 'joiner', from: 25, typed: 'a', joiner: 'and' }],
  ['model = a and us|er_id = b', { expects: 'field', from: 14, typed: 'us' }],
  ['= 3|', { expects: 'nothing' }],
])('%s', (text, place) => {
  expect(at(text)).toEqual(place);
});

it('splits a filter into tokens, as far as it can be parsed', () => {
  const parts = (text: string) => tokensOf(text).map(({ from, to, is }) => `${is} ${text.slice(from, to)}`);
  expect(parts('(model = "a b" or tags contains x) and metadata.k exists')).toEqual([
    ...['word (', 'field model', 'operator =', 'value "a b"', 'word or', 'field tags', 'operator contains', 'value x', 'word )'],
    ...['word and', 'field metadata.k', 'operator exists'],
  ]);
  expect(parts('model ~ x')).toEqual(['field model']);
  expect(parts('model = "open')).toEqual(['field model', 'operator =', 'value "open']);
});

it('an error in the word being typed is not reported yet; one before it is', () => {
  expect(isSettled('mod', 0)).toBe(false);
  expect(isSettled('modle = a and cost', 0)).toBe(true);
  expect(isSettled('cost > ', 7)).toBe(false);
  expect(isSettled('= 3', 0)).toBe(true);
});
