import fc from 'fast-check';
import { expect, it } from 'vitest';
import { kinds } from '../../server/telemetry/sqlite/signatures/byte-kinds.ts';
import { foldCase } from './fold-case.ts';

it('compares letters of all alphabets in any case', () => {
  for (const [text, form] of [
    ['Web_SEARCH', 'web_search'],
    ['ÜBER Straße', 'über straße'],
    ['ПРИВЕТ', 'привет'],
    ['ΟΔΟΣ ΟΔΟΣΑ', 'οδοσ οδοσα'],
    ['日本語 😀', '日本語 😀'],
  ])
    expect(foldCase(text as string)).toBe(form);
});

it('the form of a part is a part of the form', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, part, after) => {
      expect(foldCase(before + part + after)).toContain(foldCase(part));
    }),
  );
});

it('a letter keeps its length and the kind of its bytes, on which signatures depend', () => {
  const kindsOf = (text: string) => [...Buffer.from(text)].map((byte) => kinds[byte]).join('');
  for (let code = 0; code < 0x110000; code++) {
    const letter = String.fromCodePoint(code);
    const form = foldCase(letter);
    if (form !== letter && kindsOf(form) !== kindsOf(letter)) expect.fail(`${letter} becomes ${form}`);
    if (code >= 0x80 && form !== letter && Buffer.from(form).some((byte) => byte < 0x80)) expect.fail(`${letter} becomes ${form}`);
  }
});
