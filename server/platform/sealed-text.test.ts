import { expect, it } from 'vitest';
import { SealedTexts } from './sealed-text.ts';

const texts = new SealedTexts('a secret of tests, which is longer than it must be');

it.each(['', 'whsec_1', 'schlüssel 😀', 'x'.repeat(10_000)])('a sealed text is opened as it was: %.20s', (text) => {
  const sealed = texts.seal(text, 'webhook 1');
  expect(texts.open(sealed, 'webhook 1')).toBe(text);
  if (text) expect(sealed).not.toContain(text);
});

it('the same text is never sealed alike', () => {
  expect(texts.seal('same', 'webhook 1')).not.toBe(texts.seal('same', 'webhook 1'));
});

it('what was changed, moved or sealed by another is not opened', () => {
  const sealed = texts.seal('secret', 'webhook 1');
  expect(texts.open(sealed, 'webhook 2')).toBeNull();
  expect(new SealedTexts('another secret of tests, which is long').open(sealed, 'webhook 1')).toBeNull();
  for (let at = 3; at < sealed.length - 1; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A';
    expect(texts.open(sealed.slice(0, at) + other + sealed.slice(at + 1), 'webhook 1')).toBeNull();
  }
  for (const text of ['', 'v1.', 'v2.AAAA', 'nonsense', sealed.slice(0, -5)]) expect(texts.open(text, 'webhook 1')).toBeNull();
});
