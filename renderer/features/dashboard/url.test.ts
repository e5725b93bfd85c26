import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { type DashboardView, readDashboardUrl } from './url.ts';

it('the address of the dashboard is parsed back to the view it was made from', () => {
  const views: DashboardView[] = [
    {},
    { range: '30d', filter: 'tool:web_search cost > 0.01' },
    { by: 'tag', from: 1000, to: 2000, compare: 'off' },
    { by: 'prompt', range: '1h', environment: 'production' },
  ];
  for (const view of views) expect(readDashboardUrl(parseSearch(formatSearch(view)))).toEqual(view);
});

it('what is no view is left out', () => {
  expect(readDashboardUrl({ range: '2y', by: 'colour' })).toEqual({});
  expect(readDashboardUrl({ from: '2000', to: '1000' })).toEqual({});
  expect(readDashboardUrl({ range: '7d', from: '1000', to: '2000' })).toEqual({ range: '7d' });
});
