import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase } from '../../../../shared/filter/fold-case.ts';
import { excerptOf, type Sought } from './match-excerpt.ts';

const words = (...texts: string[]): Sought[] => texts.map((text) => ({ texts: [foldCase(text)], isFolded: true }));
const marked = (text: string, sought: Sought[]) => {
  const excerpt = excerptOf(text, sought);
  return excerpt?.marks.map(([start, end]) => excerpt.text.slice(start, end));
};

describe('an excerpt', () => {
  it('is the whole of a short text, with all words marked in any case', () => {
    expect(excerptOf('The price of a Price', words('price'))).toEqual({
      text: 'The price of a Price',
      marks: [
        [4, 9],
        [15, 20],
      ],
      count: 1,
    });
  });

  it('is null without any of the words', () => {
    expect(excerptOf('nothing', words('price'))).toBeNull();
    expect(excerptOf('', words('price'))).toBeNull();
  });

  it('is where most of the words are close together', () => {
    const text = `price ${'x '.repeat(400)} the price of sodium ${'y '.repeat(400)} sodium`;
    const excerpt = excerptOf(text, words('price', 'sodium'));
    expect(excerpt?.count).toBe(2);
    expect(excerpt?.text).toContain('the price of sodium');
  });

  it('begins and ends between words, says that the text goes on, and is one line', () => {
    const excerpt = excerptOf(`${'many words\n'.repeat(100)}needle\n${'more of them\t'.repeat(100)}`, words('needle'));
    expect(excerpt?.text).toMatch(/^…(many|words) .* needle .*(more|of|them)…$/);
  });

  it('marks overlapping words once', () => {
    expect(marked('timeouts', words('time', 'timeout', 'meout'))).toEqual(['timeout']);
  });

  it('marks exact texts only as they are', () => {
    expect(marked('Price price', [{ texts: ['price'], isFolded: false }])).toEqual(['price']);
  });

  it('marks the right letters after letters whose lower case is longer', () => {
    expect(marked('İİİ Ⱥ ẞ ΣΟΦΟΣ price', words('price'))).toEqual(['price']);
    expect(marked('İİİ ΣΟΦΟΣ', words('σοφοσ'))).toEqual(['ΣΟΦΟΣ']);
  });

  it('of any text has what was sought in its first mark, and is at most 300 long', () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom('a', 'B', ' ', '\n', '𝒳', 'é'), fc.string({ unit: 'grapheme', maxLength: 1 })),
      maxLength: 900,
    });
    fc.assert(
      fc.property(text, fc.constantFrom('a', 'b', 'ab', 'é', '𝒳'), (body, word) => {
        const excerpt = excerptOf(body, words(word));
        expect(excerpt !== null).toBe(foldCase(body).includes(foldCase(word)));
        if (!excerpt) return;
        expect(excerpt.text.length).toBeLessThan(300);
        expect(excerpt.text.isWellFormed()).toBe(true);
        const [start, end] = excerpt.marks[0] as [number, number];
        expect(foldCase(excerpt.text.slice(start, end))).toContain(foldCase(word));
      }),
    );
  });
});
