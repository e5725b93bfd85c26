import { expect, it } from 'vitest';
import { matchingPeople, mentionQueryAt, withName } from './mention-query.ts';

const people = [
  { name: 'Ann Lee', email: 'ann@acme.test' },
  { name: 'ben@acme.test', email: 'ben@acme.test' },
];

it.each([
  ['hi @', 3, ''],
  ['@Ann L', 0, 'Ann L'],
  ['@Ann Lee and (@be', 14, 'be'],
  ['line\n@ben@ac', 5, 'ben@ac'],
])('in %j people are looked for', (text, start, words) => {
  expect(mentionQueryAt(text, text.length)).toEqual({ start, words });
});

it.each(['mail me@home', 'no sign', '@[Ann](user:1)', 'before\n'])('in %j nobody is looked for', (text) => {
  expect(mentionQueryAt(text, text.length)).toBeNull();
});

it('people are found by the beginning of their address or of a word of their name', () => {
  const found = (words: string) => matchingPeople(people, { start: 0, words }).map(({ name }) => name);
  expect(['lee', 'ANN', 'ben', '', 'nn', 'Ann Lee '].map(found)).toEqual([
    ['Ann Lee'],
    ['Ann Lee'],
    ['ben@acme.test'],
    ['Ann Lee', 'ben@acme.test'],
    [],
    [],
  ]);
});

it('a name takes the place of what was typed, and the caret is behind it', () => {
  expect(withName('so @an said', { start: 3, words: 'an' }, 'Ann Lee')).toEqual({ text: 'so @Ann Lee said', caret: 12 });
});
