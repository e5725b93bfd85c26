import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedText, changedValue } from './changed-text.ts';

describe('the place of a change', () => {
  it('is given by line and character, with whole words and the lines around them', () => {
    const prompt = (time: string) => `You lead a crew.\nCite sources.\nIt is Monday, ${time}.\nBe brief.\nThank you.`;
    expect(changedText(prompt('09:31'), prompt('09:42'))).toEqual({
      ...{ line: 3, character: 49, head: 'You lead a crew.\nCite sources.\nIt is Monday, ', removed: '09:31.', added: '09:42.' },
      ...{ tail: '\nBe brief.', is_cut: false },
    });
    expect(changedText('a b', 'a b c')).toMatchObject({ character: 4, head: 'a ', removed: 'b', added: 'b c', tail: '' });
  });

  it('has whole characters, and says when a change is longer than shown', () => {
    expect(changedText('face 😀', 'face 😁')).toMatchObject({ character: 6, removed: '😀', added: '😁' });
    expect(changedText('', 'x '.repeat(1000))).toMatchObject({ removed: '', is_cut: true });
  });

  it('is put together again from its texts, for any short texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.string({ unit: 'binary', maxLength: 80 }), (before, after) => {
        const { head, removed, added, tail, character } = changedText(before, after);
        const [left, right] = [before.toWellFormed(), after.toWellFormed()];
        expect(left).toContain(`${head}${removed}${tail}`);
        expect(right).toContain(`${head}${added}${tail}`);
        expect(before.slice(0, character - 1)).toBe(after.slice(0, character - 1));
      }),
    );
  });
});

it.each([
  ['time', 'It is 09:31 now', 'It is 10:02 now'],
  ['time', 'Today is Monday, 3 June', 'Today is Tuesday, 4 June'],
  ['time', 'at 2026-11-23T09:31:00Z', 'at 2026-11-24T10:00:12Z'],
  ['number', 'session 3f9a0c1d2b', 'session 90aa0c1d77'],
  ['number', 'You have 12 messages left', 'You have 9 messages left'],
  [null, 'Be brief', 'Be thorough'],
  [null, 'It is 09:31, be brief', 'It is 09:32, be thorough'],
])('%s: %s', (kind, before, after) => {
  expect(changedValue(before, after)).toBe(kind);
});
