import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorTime } from '../../../fixtures/processor-time.ts';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { MediaReferences } from '../../../ingest/normalise/index.ts';
import { shorten as shortenWith } from './shorten.ts';

const shorten = (text: string, bytesMax: number): string =>
  shortenWith(text, bytesMax, new MediaReferences(({ mimeType, modality }) => ({ type: 'media', mimeType, modality })));

const bytesOf = (text: string): number => Buffer.byteLength(text);

interface Omitted {
  omitted?: number;
}

describe('a text that fits', () => {
  it.each(['', 'short', '{"broken', '[1,2]', '€'.repeat(10)])('is left alone: %j', (text) => {
    expect(shorten(text, 30)).toBe(text);
  });

  it('is measured in bytes of UTF-8, not in characters', () => {
    expect(shorten('€€€', 9)).toBe('€€€');
    expect(shorten('€€€', 8)).toBe('€€');
  });
});

describe('plain text', () => {
  it('is cut after a whole character, however many bytes it takes', () => {
    for (const bytes of [6, 7, 8, 9]) expect(shorten('aé€🙂b', bytes)).toBe('aé€');
    expect(shorten('aé€🙂bc', 10)).toBe('aé€🙂');
  });

  it('that only looks like JSON is cut as text', () => {
    expect(shorten(`[this is no JSON ${'x'.repeat(100)}`, 20)).toBe('[this is no JSON xxx');
  });
});

describe('JSON', () => {
  it('keeps its structure while long texts inside are cut to fit', () => {
    const messages = Array.from({ length: 3 }, () => ({ role: 'user', content: 'no base64 in here: '.repeat(3_000) }));
    const short = shorten(JSON.stringify(messages), 8_192);
    expect(bytesOf(short)).toBeGreaterThan(7_500);
    const read = JSON.parse(short) as typeof messages;
    expect(read.map(({ role }) => role)).toEqual(['user', 'user', 'user']);
    for (const { content } of read) expect(content).toMatch(/^(no base64 in here: )+.*…$/);
  });

  it('keeps short texts whole while it cuts the long ones', () => {
    const text = JSON.stringify({ role: 'assistant', id: 'call_1234567890', content: 'so it goes, '.repeat(2_000) });
    expect(JSON.parse(shorten(text, 8_192))).toMatchObject({ role: 'assistant', id: 'call_1234567890' });
  });

  it('with too many elements keeps the first and the last, and says how many were left out', () => {
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index));
    const short = JSON.parse(shorten(text, 1_000)) as (number | Omitted)[];
    expect([short.at(0), short.at(-1)]).toEqual([0, 4_999]);
    const remaining = short.filter((item) => typeof item === 'number').length;
    const [note] = short.filter((item): item is Omitted => typeof item === 'object');
    expect(remaining + (note?.omitted ?? 0)).toBe(5_000);
  });

  it('never splits a surrogate pair inside a text', () => {
    for (let padding = 0; padding < 2; padding++) {
      for (let bytes = 200; bytes < 220; bytes++) {
        const short = shorten(JSON.stringify([`${'a'.repeat(padding)}${'🙂'.repeat(5_000)}`]), bytes);
        expect((JSON.parse(short) as string[])[0]?.isWellFormed()).toBe(true);
      }
    }
  });

  it('of any depth is shortened', () => {
    const deep = `${'['.repeat(20_000)}"${'x y '.repeat(3_000)}"${']'.repeat(20_000)}`;
    const short = shorten(deep, 500);
    expect(bytesOf(short)).toBeLessThanOrEqual(500);
    expect(Array.isArray(JSON.parse(short))).toBe(true);
  });

  it('keeps keys with the names of prototype properties', () => {
    const text = `{"__proto__":{"polluted":"${'a b '.repeat(9_000)}"},"constructor":1}`;
    const short = shorten(text, 5_000);
    expect(Object.keys(JSON.parse(short) as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('of 15 MB is shortened within two seconds of processor time', () => {
    const text = JSON.stringify(Array.from({ length: 150 }, () => ({ role: 'user', content: 'a long story, '.repeat(7_200) })));
    let short = '';
    const took = processorTime(() => {
      short = shorten(text, 8_192);
    });
    expect(took).toBeLessThan(2_000);
    expect(Array.isArray(JSON.parse(short))).toBe(true);
  });
});

describe('for any text', () => {
  const check = (text: string, bytes: number) => {
    const short = shorten(text, bytes);
    expect(bytesOf(short)).toBeLessThanOrEqual(bytes);
    if (bytesOf(text) <= bytes) expect(short).toBe(text);
    if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
    return short;
  };

  it('a preview fits and is well-formed', () => {
    const long = { maxLength: 3_000, size: 'max' } as const;
    const text = fc.oneof(fc.string({ unit: 'grapheme', ...long }), fc.string({ unit: 'binary', ...long }));
    fc.assert(
      fc.property(text, fc.nat(2_000), (value, bytes) => void check(value, bytes)),
      { numRuns: propertyRuns(500) },
    );
  });

  it('a preview of JSON fits and is JSON of the same kind', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.boolean(), fc.integer({ min: 200, max: 2_000 }), (value, inObject, bytes) => {
        const long = 'word '.repeat(bytes);
        const short = check(JSON.stringify(inObject ? { value, long } : [value, long]), bytes);
        expect(Array.isArray(JSON.parse(short))).toBe(!inObject);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
