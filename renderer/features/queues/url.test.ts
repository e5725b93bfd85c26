import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { queuesQuery, readQueuesUrl, readQueueUrl } from './url.ts';

it('the address of the queues is parsed back to the view it was made from', () => {
  for (const view of [{}, { whose: 'mine' as const }, { page: 3 }]) expect(readQueuesUrl(parseSearch(formatSearch(view)))).toEqual(view);
  expect(readQueuesUrl({ whose: 'nobody', page: 0 })).toEqual({});
});

it('the address of an item is parsed back to the view it was made from', () => {
  for (const view of [{}, { item: 'a-1' }]) expect(readQueueUrl(parseSearch(formatSearch(view)))).toEqual(view);
});

it('a page is requested by its offset', () => {
  expect(queuesQuery({ whose: 'mine', page: 2 })).toEqual({ assigned_to_me: 'true', limit: 50, offset: 50 });
});
