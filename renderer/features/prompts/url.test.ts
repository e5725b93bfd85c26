import { expect, it } from 'vitest';
import { formatSearch, parseSearch } from '../../model/filter/search-string.ts';
import { readPromptsUrl } from './url.ts';

it('the address of the prompts is read back as it was written', () => {
  for (const view of [{}, { path: 'refunds/answer.prompt.mdx' }, { path: 'a.prompt.mdx', view: 'tree' as const }]) {
    expect(readPromptsUrl(parseSearch(formatSearch(view)))).toEqual(view);
  }
  expect(readPromptsUrl({ view: 'picture' })).toEqual({});
});
