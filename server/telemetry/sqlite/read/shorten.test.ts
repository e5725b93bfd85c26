import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { shorten } from './shorten.ts';

const bytesOf = (text: string): number => Buffer.byteLength(text);
const messages = (count: number, content: string) => JSON.stringify(Array.from({ length: count }, () => ({ role: 'user', content })));

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
    expect(shorten('aé€🙂', 9)).toBe('aé€');
    for (const bytes of [6, 7, 8, 9]) expect(shorten('aé€🙂b', bytes)).toBe('aé€');
    expect(shorten('aé€🙂bc', 10)).toBe('aé€🙂');
  });

  it('that only looks like JSON is cut as text', () => {
    expect(shorten(`[this is no JSON ${'x'.repeat(100)}`, 20)).toBe('[this is no JSON xxx');
    expect(shorten(JSON.stringify('x'.repeat(100)), 10)).toBe('"xxxxxxxxx');
  });
});

describe('JSON', () => {
  it('keeps its structure while long strings inside are cut', () => {
    const short = JSON.parse(shorten(messages(3, 'y'.repeat(50_000)), 8_192)) as { role: string; content: string }[];
    expect(short).toHaveLength(3);
    for (const { role, content } of short) {
      expect(role).toBe('user');
      expect(content).toMatch(/^y{500,}…$/);
    }
  });

  it('keeps short strings whole while it cuts the long ones', () => {
    const text = JSON.stringify({ role: 'assistant', id: 'call_1234567890', content: 'z'.repeat(20_000) });
    expect(JSON.parse(shorten(text, 8_192))).toMatchObject({ role: 'assistant', id: 'call_1234567890' });
  });

  it('of too many items keeps the first and the last', () => {
    const text = JSON.stringify(Array.from({ length: 5_000 }, (_, index) => index));
    const short = JSON.parse(shorten(text, 1_000)) as number[];
    expect(short.at(0)).toBe(0);
    expect(short.at(-1)).toBe(4_999);
    expect(short.length).toBeLessThan(100);
  });

  it('never splits a surrogate pair inside a string', () => {
    for (let padding = 0; padding < 2; padding++) {
      const short = shorten(JSON.stringify([`${'a'.repeat(padding)}${'🙂'.repeat(20_000)}`]), 8_192);
      expect((JSON.parse(short) as string[])[0]?.isWellFormed()).toBe(true);
    }
  });

  it('below thirty-two levels is not looked into', () => {
    const deep = `${'['.repeat(200)}"${'x'.repeat(10_000)}"${']'.repeat(200)}`;
    const short = shorten(deep, 500);
    expect(bytesOf(short)).toBeLessThanOrEqual(500);
    expect(() => JSON.parse(short)).not.toThrow();
  });

  it('keeps a key that a prototype would swallow', () => {
    const text = `{"__proto__":{"polluted":"${'x'.repeat(9_000)}"},"constructor":1}`;
    const short = shorten(text, 5_000);
    expect(Object.keys(JSON.parse(short) as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it('too large to be parsed for a preview is cut as text', () => {
    const text = messages(2, 'x'.repeat(2_200_000));
    expect(shorten(text, 8_192)).toBe(text.slice(0, 8_192));
  });
});

describe('whatever the text', () => {
  const check = (text: string, bytes: number) => {
    const short = shorten(text, bytes);
    expect(bytesOf(short)).toBeLessThanOrEqual(bytes);
    if (bytesOf(text) <= bytes) expect(short).toBe(text);
    if (text.isWellFormed()) expect(short.isWellFormed()).toBe(true);
  };

  it('a preview fits and is well-formed', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'max' }),
      fc.string({ unit: 'binary', maxLength: 3_000, size: 'max' }),
    );
    fc.assert(fc.property(text, fc.nat(2_000), check), { numRuns: propertyRuns(500) });
  });

  it('a preview of JSON fits, and one that is JSON still has the shape', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 200, max: 2_000 }), (value, bytes) => {
        const text = JSON.stringify([value, 'x'.repeat(bytes)]);
        check(text, bytes);
        const short = shorten(text, bytes);
        if (short !== text.slice(0, short.length)) expect(Array.isArray(JSON.parse(short))).toBe(true);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
