import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readDatasetsUrl } from './url.ts';

it('the address of the datasets is parsed back to the view it was made from', () => {
  for (const view of [
    {},
    { name: 'qa/bot.jsonl', row: 3 },
    { name: 'a.jsonl', from: 'spans' as const },
    { name: 'a.jsonl', run: 'experiment' as const },
  ]) {
    expect(readDatasetsUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
  expect(readDatasetsUrl({ row: -1, from: 'files' })).toEqual({});
});
