import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { comparedIds, comparedText, readExperimentsUrl } from './url.ts';

it('the address of the experiments is parsed back to the view it was made from', () => {
  for (const view of [{}, { id: 'run 1' }, { compare: comparedText(['a,b', 'c']), item: 'x' }, { prompt: 'p', page: 3 }]) {
    expect(readExperimentsUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
});

it('at most three runs are compared, each once, whatever characters their ids have', () => {
  expect(comparedIds(comparedText(['a,b', 'c', 'c', 'd', 'e']))).toEqual(['a,b', 'c', 'd']);
});
