import { expect, it } from 'vitest';
import { placeIn, surroundings, tokensOf } from './filter-place.ts';

/** `|` marks the cursor. */
const at = (text: string) => placeIn(text.replace('|', ''), text.indexOf('|'));

it.each([
  ['|', { expects: 'field', from: 0, typed: '', isFirst: true }],
  ['mo|', { expects: 'field', from: 0, typed: 'mo', isFirst: true }],
  ['metadata.re|', { expects: 'field', from: 0, typed: 'metadata.re', isFirst: true }],
  ['model |', { expects: 'operator', from: 6, typed: '', field: 'model' }],
  ['model not con|', { expects: 'operator', from: 6, typed: 'not con', field: 'model' }],
  ['model of the wor|', { expects: 'field', from: 13, typed: 'wor', isFirst: false }],
  ['model = |', { expects: 'value', from: 8, typed: '', field: 'model', isQuoted: false }],
  ['model=gp|', { expects: 'value', from: 6, typed: 'gp', field: 'model', isQuoted: false }],
  ['model:gp|', { expects: 'value', from: 6, typed: 'gp', field: 'model', isQuoted: false }],
  ['tool:"a b|', { expects: 'value', from: 6, typed: 'a b', field: 'tool', isQuoted: true }],
  ['model in (a, b|', { expects: 'value', from: 13, typed: 'b', field: 'model', isQuoted: false }],
  ['model = "a b|', { expects: 'value', from: 9, typed: 'a b', field: 'model', isQuoted: true }],
  ['model = gpt |', { expects: 'field', from: 12, typed: '', isFirst: false }],
  ['metadata.k exists |', { expects: 'field', from: 18, typed: '', isFirst: false }],
  ['cost between 1 and 5 to|', { expects: 'field', from: 21, typed: 'to', isFirst: false }],
  ['(model = a or |', { expects: 'field', from: 14, typed: '', isFirst: true }],
  ['sodium "ion price" (to|', { expects: 'field', from: 20, typed: 'to', isFirst: true }],
  ['model = a and us|er_id = b', { expects: 'field', from: 14, typed: 'us', isFirst: true }],
  ['modle:o|', { expects: 'nothing' }],
  ['"an open phrase|', { expects: 'nothing' }],
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
  expect(parts('sodium "the price" tool:web_search and cost between 1 and 2')).toEqual([
    ...['field tool', 'operator :', 'value web_search', 'word and', 'field cost', 'operator between', 'value 1', 'word and', 'value 2'],
  ]);
  expect(parts('model in (a, "b")')).toEqual(['field model', 'operator in', 'word (', 'value a', 'word ,', 'value "b"', 'word )']);
  expect(parts('model = "open')).toEqual(['field model', 'operator =', 'value "open']);
});

it.each([
  ['sodium tool:web|', 'sodium'],
  ['sodium and tool = "we|', 'sodium'],
  ['sodium |', 'sodium'],
  ['rate|', ''],
  ['(sodium or model = o|3) cost > 1', '(sodium cost > 1'],
  ['model = |', ''],
  ['model = o3 and ag| tags = a', 'model = o3 tags = a'],
])('the filter around what is being written: %s', (marked, around) => {
  const at = marked.indexOf('|');
  const text = marked.replace('|', '');
  expect(surroundings(text, at, placeIn(text, at))).toBe(around);
});
