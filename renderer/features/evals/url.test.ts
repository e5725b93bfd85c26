import { expect, it } from 'vitest';
import { pageQuery, readEvalRunUrl, readEvalsUrl } from './url.ts';

it('an address keeps valid parameters and drops only the invalid ones', () => {
  expect(readEvalsUrl({ status: 'failed', page: '2' })).toEqual({ status: 'failed', page: 2 });
  expect(readEvalsUrl({ status: 'lost', page: 1 })).toEqual({});
  expect(readEvalRunUrl({ side: 'trials', trials: 'error', page: 3 })).toEqual({ side: 'trials', trials: 'error', page: 3 });
  expect(readEvalRunUrl({ side: 'x', trials: 1 })).toEqual({});
  expect([pageQuery(), pageQuery(3)]).toEqual([
    { limit: 50, offset: 0 },
    { limit: 50, offset: 100 },
  ]);
});
