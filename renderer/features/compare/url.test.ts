import { expect, it } from 'vitest';
import { comparisonOf } from '../traces/url.ts';
import { groupsQueryOf } from './group-query.ts';
import { readCompareUrl } from './url.ts';

it('an error group is compared under every condition of the list that it is in', () => {
  const conditions = {
    environment: 'prod',
    dataset_run_id: 'run 7',
    commit_sha: 'a1b2c3',
    name: 'Refund',
    bookkeeping: 'include',
  } as const;
  const list = { ...conditions, filter: 'cost > 1', from: 5, to: 9, show: 'errors', peek: 'trace', sort_by: 'cost' } as const;
  const view = readCompareUrl(comparisonOf(list, 'error = timeout', 10));
  expect(view).toEqual({ ...conditions, from: 5, to: 9, a_filter: 'cost > 1 and error = timeout' });
  expect(groupsQueryOf({ ...view, fact: 3 })).toEqual({ ...conditions, from: 5, to: 9, a: 'cost > 1 and error = timeout', limit: 30 });
});

it('groups by ids are asked for by their ids', () => {
  expect(groupsQueryOf(readCompareUrl({ a_ids: 'a,b', b_ids: 'c', fact: 2 }))).toEqual({ a_ids: 'a,b', b_ids: 'c', limit: 30 });
});
