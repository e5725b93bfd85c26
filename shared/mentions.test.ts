import { expect, it } from 'vitest';
import { mentionablesOf, mentionedIds, mentionName, piecesOf, readableText, withMentions } from './mentions.ts';

const [ann, lee] = ['16fd2706-8baf-433b-82eb-8c7fada847da', 'c56a4180-65aa-42ec-a945-5fd21dec0538'] as const;
const people = [
  { id: ann, name: 'Ann' },
  { id: lee, name: 'Ann (Lee)' },
];

it('names of people become mentions, the longest first, and only where they are whole', () => {
  expect(withMentions('@Ann (Lee), see @Ann. Not @Annette, me@Ann', people)).toBe(
    `@[Ann (Lee)](user:${lee}), see @[Ann](user:${ann}). Not @Annette, me@Ann`,
  );
  expect(withMentions('@Ann', [])).toBe('@Ann');
  const others = '@Ann-Marie @Ann_2 @Ann@acme.test';
  expect(withMentions(others, people)).toBe(others);
  expect(withMentions("@Ann's - (@Ann)", people)).toBe(`@[Ann](user:${ann})'s - (@[Ann](user:${ann}))`);
});

it('whoever has the name or the address of somebody else is mentioned by their own address', () => {
  const names = (...members: [name: string | null, email: string][]) =>
    mentionablesOf(members.map(([name, email]) => ({ id: email, name, email }))).map(({ name }) => name);
  expect(names(['Ann', 'ann@a.test'], ['Ben', 'ben@a.test'], [null, 'cleo@a.test'])).toEqual(['Ann', 'Ben', 'cleo@a.test']);
  expect(names(['Ann', 'ann@a.test'], ['ann ', 'ann@b.test'])).toEqual(['ann@a.test', 'ann@b.test']);
  expect(names(['ben@a.test', 'ann@a.test'], ['Ben', 'ben@a.test'])).toEqual(['ann@a.test', 'Ben']);
  expect(names(['ann@a.test', 'ann@a.test'])).toEqual(['ann@a.test']);
});

it('a comment is its pieces, whatever is in them', () => {
  const body = `a @[Ann](user:${ann})<b>@[x](user:1) @[](user:${lee}) @[Lee](user:${lee})`;
  const pieces = piecesOf(body);
  expect(pieces).toEqual([
    { text: 'a ' },
    { mention: { name: 'Ann', id: ann } },
    { text: `<b>@[x](user:1) @[](user:${lee}) ` },
    { mention: { name: 'Lee', id: lee } },
  ]);
  expect(mentionedIds(body + body)).toEqual([ann, lee]);
  expect(readableText(`a @[Ann](user:${ann}), b`)).toBe('a @Ann, b');
});

it('a name without the characters of a mention can be mentioned', () => {
  const name = mentionName(' [Ann]\n(Lee) ');
  expect(name).toBe('Ann (Lee)');
  expect(mentionedIds(withMentions(`@${name}`, [{ id: ann, name }]))).toEqual([ann]);
});
