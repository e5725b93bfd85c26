import { expect, it } from 'vitest';
import { tokenPieces } from './token-pieces.ts';

const [one, two] = ['‹email-aaaaaaaaaaaaaaaa›', '‹api_key-bbbbbbbbbbbbbbbb›'];
const shown = (before: string, after: string) =>
  tokenPieces(before, after)
    ?.map(({ kind, text }) => ({ same: text, removed: `[-${text}-]`, added: `{+${text}+}` })[kind])
    .join('');

it.each([
  ['Mail a@b.io now', `Mail ${one} now`, `Mail [-a@b.io-]{+${one}+} now`],
  ['a@b.io', one, `[-a@b.io-]{+${one}+}`],
  ['a@b.io, sk-1 and a@b.io', `${one}, ${two} and ${one}`, `[-a@b.io-]{+${one}+}, [-sk-1-]{+${two}+} and [-a@b.io-]{+${one}+}`],
  ['xa@b.iosk-1x', `x${one}${two}x`, `x[-a@b.iosk-1-]{+${one}${two}+}x`],
  ['e e e@e.io e', `e e ${one} e`, `e e [-e@e.io-]{+${one}+} e`],
  [`brought ${two} a@b.io`, `brought ${two} ${one}`, `brought ${two} [-a@b.io-]{+${one}+}`],
  ['…cut a@b.io off…', `…cut ${one} off…`, `…cut [-a@b.io-]{+${one}+} off…`],
])('%s', (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

it('texts that differ in more than tokens give null', () => {
  expect(tokenPieces('one two', 'one three')).toBeNull();
  expect(tokenPieces('4111111111111111', 'x')).toBeNull();
});
