import { expect, it } from 'vitest';
import { chipsOf } from './filter-chips.ts';

const chips = (text: string) => chipsOf(text).map(({ from, to, isAboutErrors }) => `${text.slice(from, to)}${isAboutErrors ? ' !' : ''}`);

it('a condition reaches from its field to its value; words, parentheses and what joins conditions are in none', () => {
  expect(chips('sodium-ion "the price" tool:web_search and errors > 0')).toEqual(['tool:web_search', 'errors > 0 !']);
  expect(chips('(model = "a b" or tags contains x) and metadata.k exists')).toEqual([
    'model = "a b"',
    'tags contains x',
    'metadata.k exists',
  ]);
  expect(chips('model in (a, "b)", c) and (cost between 1 and 2 or status = ERROR)')).toEqual([
    'model in (a, "b)", c)',
    'cost between 1 and 2',
    'status = ERROR !',
  ]);
  expect(chips('status = OK error:RateLimitError web')).toEqual(['status = OK', 'error:RateLimitError !']);
  expect(chips('sodium price')).toEqual([]);
});

it.each([
  ...['errors > 0', 'errors >= 1', 'errors = 2', 'errors != 0', 'errors between 1 and 5', 'errors_inside in (1, 2)'],
  ...['error:timeout', 'error contains "a b"', 'status = ERROR', 'status:ERROR'],
])('%s selects failures', (text) => {
  expect(chips(text)).toEqual([`${text} !`]);
});

it.each([
  ...['errors = 0', 'errors < 1', 'errors <= 0', 'errors >= 0', 'errors in (0, 1)', 'errors between 0 and 2', 'errors != 2'],
  ...['error != timeout', 'error not contains "a b"', 'error not in (a, b)', 'status = OK', 'errors >', 'model = ERROR'],
])('%s does not', (text) => {
  expect(chips(text)).toEqual([text]);
});

it('a parenthesis in quotes opens no list', () => {
  expect(chips('(error contains "a (b" or model = x) and tags in (a, "b (")')).toEqual([
    'error contains "a (b" !',
    'model = x',
    'tags in (a, "b (")',
  ]);
});
