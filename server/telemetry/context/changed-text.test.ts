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
  ['time', 'Sent on Mon, 3 Jun', 'Sent on Thurs, 6 Sept'],
  ['time', 'From 3 June, 12 users', 'From 4 June, 13 users'],
  ['time', 'due 24/12/2026', 'due 31/12/2026'],
  ['time', 'due 2026.12.24', 'due 2027.01.02'],
  ['time', 'now: 1764234567', 'now: 1764234999'],
  ['number', 'version 1.2.3', 'version 1.2.4'],
  ['number', 'host 10.0.0.1:8080', 'host 10.0.0.2:8080'],
  ['number', 'order 4821-33', 'order 4822-34'],
  ['number', '12 users may have 3 tries', '13 users may have 4 tries'],
  [null, 'Be friendly', 'Be sunny'],
  [null, 'You decide', 'You market'],
  [null, 'Be brief', 'Be thorough'],
  [null, 'It is 09:31, be brief', 'It is 09:32, be thorough'],
])('%s: %s', (kind, before, after) => {
  expect(changedValue(before, after)).toBe(kind);
});
