import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traceSortKeys } from '../../../shared/contract/traces.ts';
import { formatSearch, parseSearch } from '../../model/search-string.ts';
import { isFiltered, narrowed, readTracesUrl, sortedBy, tracesQuery } from './url.ts';

const word = fc
  .string({ minLength: 1, maxLength: 12 })
  .map((text) => text.trim())
  .filter((text) => text !== '');
const date = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2199-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const view = fc.record(
  {
    status: fc.constantFrom('OK', 'ERROR'),
    name: word,
    model: word,
    user_id: word,
    session_id: word,
    tag: fc.array(word, { minLength: 1, maxLength: 3 }),
    start_date: date,
    end_date: date,
    sort_by: fc.constantFrom(...traceSortKeys),
    sort_order: fc.constantFrom('asc', 'desc'),
    page: fc.integer({ min: 2, max: 1_000_000 }),
  },
  { requiredKeys: [] },
);

describe('the address of the traces list', () => {
  it('is read back as it was written', () => {
    fc.assert(fc.property(view, (given) => void expect(readTracesUrl(parseSearch(formatSearch(given)))).toEqual(given)));
  });

  it('drops a part that does not fit and keeps the rest', () => {
    expect(readTracesUrl(parseSearch('?status=BAD&name=x&page=-3&start_date=soon&sort_by=color&other=1'))).toEqual({ name: 'x' });
    expect(readTracesUrl(null)).toEqual({});
  });

  it('asks the gateway for the page', () => {
    expect(tracesQuery({ status: 'ERROR', page: 3 })).toEqual({ status: 'ERROR', limit: 50, offset: 100 });
    expect(tracesQuery({})).toEqual({ limit: 50, offset: 0 });
  });

  it('goes back to the first page when the list becomes another one', () => {
    expect(narrowed({ page: 4, name: 'a' }, { name: '' })).toEqual({});
    expect(narrowed({ page: 4, name: 'a' }, { status: 'OK' })).toEqual({ name: 'a', status: 'OK' });
    expect([isFiltered({ page: 2 }), isFiltered({ tag: ['a'] })]).toEqual([false, true]);
  });

  it('sorts high to low first, names from A, and turns round on the second click', () => {
    expect(sortedBy({}, 'cost')).toEqual({ sort_by: 'cost', sort_order: 'desc' });
    expect(sortedBy({ sort_by: 'cost', sort_order: 'desc' }, 'cost')).toEqual({ sort_by: 'cost', sort_order: 'asc' });
    expect(sortedBy({}, 'name')).toEqual({ sort_by: 'name', sort_order: 'asc' });
    expect(sortedBy({}, 'start_time')).toEqual({ sort_by: 'start_time', sort_order: 'asc' });
    expect(sortedBy({ sort_by: 'cost', sort_order: 'asc' }, 'start_time')).toEqual({});
  });
});
