import { expect, it } from 'vitest';
import { authorName } from './author-name.ts';

const by = (user_id: string | null, author_name: string | null) => ({ user_id, author_name });

it('a member has their current name, and what a key calls itself is not that of a member', () => {
  const names = new Map([['1', 'Ann Lee']]);
  expect(authorName(by('1', 'Ann'), names)).toBe('Ann Lee');
  expect([authorName(by('1', 'Ann'), null), authorName(by('2', 'Ben'), names)]).toEqual(['Ann', 'Ben']);
  expect([by(null, 'Ann Lee'), by(null, null), by('2', null)].map((comment) => authorName(comment, names))).toEqual([
    ...['Ann Lee (API key)', 'An API key', 'Somebody'],
  ]);
});
