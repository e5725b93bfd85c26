import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readDashboardUrl } from './url.ts';

it('the address of the dashboard is parsed back to the view it was made from', () => {
  for (const view of [{}, { range: '30d' as const }, { by: 'prompt' as const, range: '1h' as const }]) {
    expect(readDashboardUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
  expect(readDashboardUrl({ range: '2y', by: 'user' })).toEqual({});
});
