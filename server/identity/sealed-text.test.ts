import { expect, it } from 'vitest';
import { SealedTexts } from './sealed-text.ts';

const secret = 'a secret of tests, which is longer than it must be';
const texts = new SealedTexts([secret], 'tests');

it('opens what it sealed, for its owner', () => {
  for (const text of ['', 'ghu_1', 'ÄÖ🦉', 'x'.repeat(10_000)]) expect(texts.open(texts.seal(text, 'a'), 'a')).toBe(text);
});

it('seals the same text differently each time and shows nothing of it', () => {
  const first = texts.seal('a token that is long enough', 'a');
  expect(texts.seal('a token that is long enough', 'a')).not.toBe(first);
  expect(Buffer.from(first, 'base64url').includes('token')).toBe(false);
});

it('opens nothing for another owner, with another secret, or for another purpose', () => {
  const sealed = texts.seal('token', 'a');
  expect(texts.open(sealed, 'b')).toBeNull();
  expect(new SealedTexts([`${secret}!`], 'tests').open(sealed, 'a')).toBeNull();
  expect(new SealedTexts([secret], 'others').open(sealed, 'a')).toBeNull();
});

it('opens what an accepted secret sealed, and seals it again with the current one', () => {
  const [before, during, after] = [texts, new SealedTexts([`${secret}!`, secret], 'tests'), new SealedTexts([`${secret}!`], 'tests')];
  const old = before.seal('token', 'a');
  expect([during.open(old, 'a'), during.open(old, 'b')]).toEqual(['token', null]);
  const again = during.sealAgain(old, 'a') ?? '';
  expect([after.open(old, 'a'), after.open(again, 'a'), before.open(again, 'a')]).toEqual([null, 'token', null]);
  expect([during.sealAgain(again, 'a'), after.sealAgain(old, 'a'), during.sealAgain(old, 'b')]).toEqual([again, null, null]);
});

it('opens nothing with a changed or missing byte, and no garbage', () => {
  const sealed = Buffer.from(texts.seal('token', 'a'), 'base64url');
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ 1;
    expect(texts.open(changed.toString('base64url'), 'a'), `byte ${at}`).toBeNull();
    expect(texts.open(sealed.subarray(0, at).toString('base64url'), 'a'), `cut at ${at}`).toBeNull();
  }
  expect(texts.open('not base64!', 'a')).toBeNull();
});
