import { expect, it } from 'vitest';
import { readWorkersUrl, workersQuery } from './url.ts';

it('what the address says is what is asked for', () => {
  expect(readWorkersUrl({ show: 'runs', page: '3' })).toEqual({ show: 'runs', page: 3 });
  expect(workersQuery({ page: 3 })).toEqual({ limit: 50, offset: 100 });
});

it('what does not fit is dropped alone', () => {
  expect(readWorkersUrl({ show: 'all', page: '2' })).toEqual({ page: 2 });
  expect(readWorkersUrl({ show: 'runs', page: '-1' })).toEqual({ show: 'runs' });
  expect(workersQuery({})).toEqual({ limit: 50, offset: 0 });
});
