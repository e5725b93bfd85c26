import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readDatasetsUrl } from './url.ts';

it('the address of the datasets is parsed back to the view it was made from', () => {
  for (const view of [{}, { name: 'qa/bot.jsonl', row: 3 }, { name: 'a.jsonl', from: 'spans' as const, ids: 't:s,t:u' }]) {
    expect(readDatasetsUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
  const ids = Array.from({ length: 100 }, () => `${'a'.repeat(32)}:${'b'.repeat(32)}`).join();
  expect(readDatasetsUrl({ from: 'spans', ids })).toEqual({ from: 'spans', ids });
  expect(readDatasetsUrl({ row: -1, from: 'files' })).toEqual({});
});
