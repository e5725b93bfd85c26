import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../../model/filter/search-string.ts';
import { readTraceUrl, spanTabs, viewModes, withTab } from './url.ts';

const word = fc
  .string({ minLength: 1, maxLength: 20 })
  .map((text) => text.trim())
  .filter((text) => text !== '');

it('the address of a trace page is parsed back to the view it was made from', () => {
  const view = fc.record(
    {
      span: word,
      tab: fc.constantFrom(...spanTabs),
      q: word,
      view: fc.constantFrom(...viewModes),
      at: fc.constantFrom('0-10', '1.5-380'),
    },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(view, (search) => void expect(readTraceUrl(parseSearch(formatSearch(search)))).toEqual(search)));
});

it('an unknown tab becomes the first tab, and the first tab is left out of the address', () => {
  expect(readTraceUrl({ span: 's', tab: 'nonsense' })).toEqual({ span: 's' });
  expect(withTab({ span: 's', tab: 'raw' }, 'messages')).toEqual({ span: 's' });
  expect(withTab({ span: 's' }, 'raw')).toEqual({ span: 's', tab: 'raw' });
});

it('an invalid time range is dropped, and the other parameters stay', () => {
  expect(readTraceUrl({ span: 's', at: '5', view: 'pie' })).toEqual({ span: 's' });
});
