import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readPromptsUrl } from './url.ts';

it('the address of the prompts is parsed back to the view it was made from', () => {
  for (const view of [{}, { path: 'refunds/answer.prompt.mdx' }, { path: 'a.prompt.mdx', view: 'tree' as const }]) {
    expect(readPromptsUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
  expect(readPromptsUrl({ view: 'picture' })).toEqual({});
});
