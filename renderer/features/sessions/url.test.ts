import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sessionSortKeys } from '../../../shared/contract/tracing/sessions.ts';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readSessionsUrl, sessionsQuery, sortedBy } from './url.ts';

it('the address of the sessions list is parsed back to the view it was made from', () => {
  const view = fc.record(
    {
      search: fc
        .string({ minLength: 1 })
        .map((text) => text.trim())
        .filter((text) => text !== ''),
      sort_by: fc.constantFrom(...sessionSortKeys),
      sort_order: fc.constantFrom('asc', 'desc'),
      page: fc.integer({ min: 2, max: 1_000_000 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(view, (search) => void expect(readSessionsUrl(parseSearch(formatSearch(search)))).toEqual(search)));
});

it('sorting keeps the search and goes to the first page', () => {
  expect(sortedBy({ search: 'a', page: 3 }, 'total_cost')).toEqual({ search: 'a', sort_by: 'total_cost', sort_order: 'desc' });
  expect(sessionsQuery({ search: 'a', page: 3 })).toEqual({ search: 'a', limit: 50, offset: 100 });
});
