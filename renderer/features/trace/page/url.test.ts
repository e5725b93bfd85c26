import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../../model/filter/search-string.ts';
import { viewModes } from '../../../ui/primitives/preferences.ts';
import { readTraceUrl, spanTabs, withTab } from './url.ts';

const word = fc
  .string({ minLength: 1, maxLength: 20 })
  .map((text) => text.trim())
  .filter((text) => text !== '');

it('the address of a trace page is read back as it was written', () => {
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
  fc.assert(fc.property(view, (given) => void expect(readTraceUrl(parseSearch(formatSearch(given)))).toEqual(given)));
});

it('an unknown tab is the first tab, and the first tab is not written', () => {
  expect(readTraceUrl({ span: 's', tab: 'nonsense' })).toEqual({ span: 's' });
  expect(withTab({ span: 's', tab: 'raw' }, 'messages')).toEqual({ span: 's' });
  expect(withTab({ span: 's' }, 'raw')).toEqual({ span: 's', tab: 'raw' });
});

it('a time that is none is dropped alone', () => {
  expect(readTraceUrl({ span: 's', at: '5', view: 'pie' })).toEqual({ span: 's' });
});
