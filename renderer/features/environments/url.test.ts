import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { deploymentsQuery, readDeploymentsUrl } from './url.ts';

it('the address of the deployments is parsed back to the view it was made from', () => {
  for (const view of [{}, { status: 'running' as const }, { status: 'failure' as const, page: 2 }])
    expect(readDeploymentsUrl(parseSearch(formatSearch(view)))).toEqual(view);
  expect(readDeploymentsUrl({ status: 'lost', page: 0 })).toEqual({});
  expect(deploymentsQuery({ status: 'failure', page: 2 })).toEqual({ status: 'failure', limit: 50, offset: 50 });
});
