import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from './search-string.ts';

it('writes readable, editable text', () => {
  expect(formatSearch({ status: 'ERROR', page: 2, tag: ['a', 'b'], name: undefined, model: '' })).toBe('?status=ERROR&page=2&tag=a&tag=b');
  expect(formatSearch({})).toBe('');
});

it('reads back any text it wrote', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((value) => value.isWellFormed());
  const value = fc.oneof(text, fc.array(text, { minLength: 2, maxLength: 4 }));
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), value), (search) => {
      expect(parseSearch(formatSearch(search))).toEqual({ ...search });
    }),
  );
});
