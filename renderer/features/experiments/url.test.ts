import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { comparedIds, comparedText, readExperimentsUrl } from './url.ts';

it('the address of the experiments is read back as it was written', () => {
  for (const view of [{}, { id: 'run 1' }, { compare: comparedText(['a,b', 'c']), item: 'x' }, { prompt: 'p', page: 3 }]) {
    expect(readExperimentsUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
});

it('at most three are compared, each once, whatever their ids hold', () => {
  expect(comparedIds(comparedText(['a,b', 'c', 'c', 'd', 'e']))).toEqual(['a,b', 'c', 'd']);
});
