import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readIngestLogUrl } from './url.ts';

it('the address of the ingest log is parsed back to the view it was made from', () => {
  for (const view of [{}, { search: 'gzip & co', only: 'refused' as const }, { entry: 'r-1' }]) {
    expect(readIngestLogUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
  expect(readIngestLogUrl({ only: 'all' })).toEqual({});
});
