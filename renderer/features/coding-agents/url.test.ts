import { expect, it } from 'vitest';
import { codingAgentsQuery, readCodingAgentsUrl } from './url.ts';

it('the address becomes the query of the list', () => {
  expect(readCodingAgentsUrl({ show: 'runs', page: '3' })).toEqual({ show: 'runs', page: 3 });
  expect(codingAgentsQuery({ page: 3 })).toEqual({ limit: 50, offset: 100 });
});

it('an invalid parameter is dropped, and the others stay', () => {
  expect(readCodingAgentsUrl({ show: 'all', page: '2' })).toEqual({ page: 2 });
  expect(readCodingAgentsUrl({ show: 'runs', page: '-1' })).toEqual({ show: 'runs' });
  expect(codingAgentsQuery({})).toEqual({ limit: 50, offset: 0 });
});
