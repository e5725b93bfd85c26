import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traceSortKeys } from '../../../shared/contract/tracing/traces.ts';
import { clausesOf, problemOf } from '../../model/filter/filter-text.ts';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { ownSearch } from '../../model/filter/url-shapes.ts';
import { recentRanges } from '../../model/time/time-range.ts';
import { changedView, isNarrowed, listKeyOf, narrowingOf, ownerOf, readTracesUrl, sortedBy } from './url.ts';

const text = fc
  .string({ minLength: 1 })
  .map((value) => value.trim())
  .filter((value) => value !== '');

it('the address of the list is parsed back to the view it was made from', () => {
  const view = fc.record(
    {
      filter: text,
      name: text,
      environment: text,
      from: fc.nat(),
      to: fc.nat(),
      sort_by: fc.constantFrom(...traceSortKeys),
      sort_order: fc.constantFrom('asc', 'desc'),
      peek: text,
    },
    { requiredKeys: [] },
  );
  fc.assert(fc.property(view, (search) => void expect(readTracesUrl(parseSearch(formatSearch(search)))).toEqual(search)));
  for (const last of recentRanges) expect(readTracesUrl({ last, from: '5' })).toEqual({ last });
});

describe('a link with the parameters of the public list', () => {
  it('becomes conditions in the filter', () => {
    expect(readTracesUrl({ session_id: 's 1', filter: 'cost > 1' })).toEqual({ filter: 'cost > 1 and session_id = "s 1"' });
    expect(readTracesUrl({ tag: ['a', 'b'], status: 'ERROR' })).toEqual({ filter: 'status = ERROR and (tags = a or tags = b)' });
    expect(readTracesUrl({ end_date: '2026-01-15' })).toEqual({ to: Date.UTC(2026, 0, 16) });
  });

  it('becomes a valid filter, whatever value it has', () => {
    fc.assert(
      fc.property(text, (user_id) => {
        const { filter = '' } = readTracesUrl({ user_id });
        expect(problemOf(filter)).toBeNull();
      }),
    );
  });

  it('keeps the meaning of a filter with alternatives', () => {
    const { filter = '' } = readTracesUrl({ filter: '(model = a or model = b)', user_id: 'ada' });
    expect(clausesOf(filter)).toEqual(['(model = a or model = b)', 'user_id = ada']);
  });

  it('is added to the filter once, however often the router merges the parsed search into the raw one', () => {
    const link = {
      session_id: 'S',
      user_id: 'ada',
      status: 'OK',
      model: 'm',
      tag: ['t'],
      start_date: '2026-01-15',
      end_date: '2026-01-16',
    };
    // As the router does it.
    const merged = (raw: object) => ({ ...raw, ...ownSearch(readTracesUrl)(raw) });
    const view = merged(link);
    expect(readTracesUrl(parseSearch(formatSearch(merged(view))))).toEqual(readTracesUrl(link));
    const cleared = changedView(view, { filter: undefined, from: undefined, to: undefined });
    expect(formatSearch(merged(cleared))).toBe('');
  });
});

it('an invalid parameter is dropped, and the others stay', () => {
  expect(readTracesUrl({ from: 'soon', sort_by: 'colour', name: 'run' })).toEqual({ name: 'run' });
});

it('the side panel does not change the list key, and a filter does', () => {
  expect(listKeyOf({ filter: 'a = 1', peek: 'x' })).toBe(listKeyOf({ filter: 'a = 1' }));
  expect(listKeyOf({ filter: 'a = 1' })).not.toBe(listKeyOf({}));
  expect(isNarrowed({ sort_by: 'cost', peek: 'x' })).toBe(false);
  expect(isNarrowed({ last: '1h' })).toBe(true);
  expect(changedView({ filter: 'a = 1', name: 'x' }, { filter: undefined })).toEqual({ name: 'x' });
});

it('a relative time range ends now', () => {
  expect(narrowingOf({ last: '15m', filter: 'cost > 1', sort_by: 'cost' }, 1_000_000)).toEqual({ from: 100_000, filter: 'cost > 1' });
});

it('the first click on a column sorts descending, the second one reverses the order', () => {
  const once = sortedBy({ name: 'x' }, 'cost');
  expect(once).toEqual({ name: 'x', sort_by: 'cost', sort_order: 'desc' });
  expect(sortedBy(once, 'cost').sort_order).toBe('asc');
  expect(sortedBy(sortedBy({}, 'start_time'), 'start_time')).toEqual({});
});

it('a list selects a user or session only if it selects by nothing else', () => {
  const owner = (search: object) => ownerOf(readTracesUrl(search));
  expect(owner({ user_id: 'ada lovelace' })).toEqual({ field: 'user_id', value: 'ada lovelace' });
  expect(owner({ session_id: 'chat' })).toEqual({ field: 'session_id', value: 'chat' });
  for (const search of [
    {},
    { filter: 'user_id != ada' },
    { filter: 'user_id in (ada, bob)' },
    { filter: 'user_id = ada or user_id = bob' },
    { filter: 'user_id = ada and status = ERROR' },
    { filter: 'user_id = ada', last: '1h' },
    { filter: 'user_id = ada', name: 'support' },
  ])
    expect(owner(search)).toBeNull();
});
