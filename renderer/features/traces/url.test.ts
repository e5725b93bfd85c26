import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { traceSortKeys } from '../../../shared/contract/tracing/traces.ts';
import { ownSearch } from '../../app/root-route.ts';
import { clausesOf, problemOf } from '../../model/filter/filter-text.ts';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { recentRanges } from '../../model/time/time-range.ts';
import { changedView, isNarrowed, listKeyOf, narrowingOf, readTracesUrl, sortedBy } from './url.ts';

const text = fc
  .string({ minLength: 1 })
  .map((each) => each.trim())
  .filter((each) => each !== '');

it('the address of the list is read back as it was written', () => {
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
  fc.assert(fc.property(view, (given) => void expect(readTracesUrl(parseSearch(formatSearch(given)))).toEqual(given)));
  for (const last of recentRanges) expect(readTracesUrl({ last, from: '5' })).toEqual({ last });
});

describe('a link in the words of the public list', () => {
  it('becomes conditions of the filter', () => {
    expect(readTracesUrl({ session_id: 's 1', filter: 'cost > 1' })).toEqual({ filter: 'cost > 1 and session_id = "s 1"' });
    expect(readTracesUrl({ tag: ['a', 'b'], status: 'ERROR' })).toEqual({ filter: 'status = ERROR and (tags = a or tags = b)' });
    expect(readTracesUrl({ end_date: '2026-01-15' })).toEqual({ to: Date.UTC(2026, 0, 16) });
  });

  it('becomes one that can be read, whatever it names', () => {
    fc.assert(
      fc.property(text, (user_id) => {
        const { filter = '' } = readTracesUrl({ user_id });
        expect(problemOf(filter)).toBeNull();
      }),
    );
  });

  it('leaves a filter with a choice what it means', () => {
    const { filter = '' } = readTracesUrl({ filter: '(model = a or model = b)', user_id: 'ada' });
    expect(clausesOf(filter)).toEqual(['(model = a or model = b)', 'user_id = ada']);
  });

  it('is said once, however often the router puts what was read over what was written', () => {
    const said = {
      session_id: 'S',
      user_id: 'ada',
      status: 'OK',
      model: 'm',
      tag: ['t'],
      start_date: '2026-01-15',
      end_date: '2026-01-16',
    };
    // As the router has it.
    const over = (written: object) => ({ ...written, ...ownSearch(readTracesUrl)(written) });
    const view = over(said);
    expect(readTracesUrl(parseSearch(formatSearch(over(view))))).toEqual(readTracesUrl(said));
    const cleared = changedView(view, { filter: undefined, from: undefined, to: undefined });
    expect(formatSearch(over(cleared))).toBe('');
  });
});

it('what does not fit is dropped alone', () => {
  expect(readTracesUrl({ from: 'soon', sort_by: 'colour', name: 'run' })).toEqual({ name: 'run' });
});

it('the side panel is no part of the list; a filter makes another', () => {
  expect(listKeyOf({ filter: 'a = 1', peek: 'x' })).toBe(listKeyOf({ filter: 'a = 1' }));
  expect(listKeyOf({ filter: 'a = 1' })).not.toBe(listKeyOf({}));
  expect(isNarrowed({ sort_by: 'cost', peek: 'x' })).toBe(false);
  expect(isNarrowed({ last: '1h' })).toBe(true);
  expect(changedView({ filter: 'a = 1', name: 'x' }, { filter: undefined })).toEqual({ name: 'x' });
});

it('a recent range is asked up to the moment', () => {
  expect(narrowingOf({ last: '15m', filter: 'cost > 1', sort_by: 'cost' }, 1_000_000)).toEqual({ from: 100_000, filter: 'cost > 1' });
});

it('a first click on a column sorts downwards, a second one turns it round', () => {
  const once = sortedBy({ name: 'x' }, 'cost');
  expect(once).toEqual({ name: 'x', sort_by: 'cost', sort_order: 'desc' });
  expect(sortedBy(once, 'cost').sort_order).toBe('asc');
  expect(sortedBy(sortedBy({}, 'start_time'), 'start_time')).toEqual({});
});
