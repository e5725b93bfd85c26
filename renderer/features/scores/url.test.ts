import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readScoresUrl, scoresQuery } from './url.ts';

it('the address of the scores is parsed back to the view it was made from', () => {
  for (const view of [{}, { name: 'tone & taste', source: 'api' as const }, { resource_id: 'a0', page: 2 }]) {
    expect(readScoresUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
  expect(readScoresUrl({ source: 'nobody' })).toEqual({});
});

it('a page is requested by its offset', () => {
  expect(scoresQuery({ name: 'tone', page: 3 })).toEqual({ name: 'tone', limit: 50, offset: 100 });
});
