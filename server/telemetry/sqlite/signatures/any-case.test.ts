import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase } from '../../../../shared/filter/fold-case.ts';
import { anyCasePattern } from './any-case.ts';

const lettersOf = (last: number): string[] =>
  Array.from({ length: last + 1 }, (_, code) => (code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code))).filter((letter) =>
    /^[\p{L}\p{N}_]$/u.test(letter),
  );
const letters = lettersOf(0x1_ffff);

const isFound = (word: string, text: string): boolean => anyCasePattern(foldCase(word)).test(Buffer.from(text).toString('latin1'));

describe('a word in any case', () => {
  it('is found in bytes exactly if it is in the folded text', () => {
    const letter = fc.oneof(fc.constantFrom(...'aAkKsSσςΣIiİßẞ\u212aΩ\u2126'), fc.constantFrom(...letters));
    const word = fc.array(letter, { minLength: 1, maxLength: 4 }).map((each) => each.join(''));
    const text = fc
      .array(fc.oneof(letter, fc.constantFrom(' ', '"', '\\', '-', '\u{1f600}')), { maxLength: 12 })
      .map((each) => each.join(''));
    fc.assert(
      fc.property(word, text, fc.constantFrom('as is', 'upper', 'lower'), (sought, around, how) => {
        const written = how === 'upper' ? sought.toUpperCase() : how === 'lower' ? sought.toLowerCase() : sought;
        for (const sent of [around, around + written, written + around, `${around}${written}${around}`])
          expect(isFound(sought, sent)).toBe(foldCase(sent).includes(foldCase(sought)));
      }),
      { numRuns: 5000 },
    );
  });

  it('is found whichever of its forms was sent, for every letter', () => {
    const missed = letters.filter((letter) => !isFound(letter, letter) || !isFound(letter, foldCase(letter)));
    expect(missed).toEqual([]);
  });
});
