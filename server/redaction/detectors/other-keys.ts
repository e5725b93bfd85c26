/** Keys that are told by their build, not by their first letters. */
import { afterEscape, alphanumeric, base64, digit, isIn, isInsideWord, runEnd, runStart, setOf, urlSafe } from './characters.ts';
import type { Detector, Stretch } from './detector.ts';
import { couldBeKey, isRandom, makeupOf } from './randomness.ts';

/** The second half of a pair of AWS is 40 letters that say nothing of themselves; it stands soon behind the first, which does. */
const awsId = /(?:AKIA|ASIA)[A-Z0-9]{16}/y;
const awsSecretLength = 40;
const nearMax = 160;
const awsSecretEntropyMin = 4;

function awsSecret(text: string, at: number): Stretch | null {
  awsId.lastIndex = at;
  if (!awsId.test(text)) return null;
  const last = Math.min(text.length, at + nearMax);
  for (let start = at + 20; start < last; start++) {
    if (!isIn(base64, text, start)) continue;
    const from = backslashed(text, start);
    const end = runEnd(base64, text, from, awsSecretLength + 1);
    if (end - from === awsSecretLength && makeupOf(text.slice(from, end)).entropy >= awsSecretEntropyMin) return { start: from, end };
    start = runEnd(base64, text, start, nearMax);
  }
  return null;
}

/** The `n` of a line break in JSON is none of the secret. */
const backslashed = (text: string, start: number): number => (text[start - 1] === '\\' ? start + 1 : start);

export const awsSecrets: Detector = { kind: 'api_key', words: 'A', look: awsSecret };

/** Secrets of Azure applications: `abc8Q~` and 31 to 34 more. */
const azureRun = setOf('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-.~');

export const azureSecrets: Detector = {
  kind: 'api_key',
  signs: '~',
  look(text, at) {
    if (text[at - 1] !== 'Q' || !isIn(digit, text, at - 2)) return null;
    const start = afterEscape(text, runStart(alphanumeric, text, at - 2, 4));
    const end = runEnd(azureRun, text, at + 1, 40);
    const length = end - at - 1;
    return at - 2 - start === 3 && length >= 31 && length <= 34 && isRandom(text.slice(start, end)) ? { start, end } : null;
  },
};

/** Bots of Telegram: `123456789:AA…`. */
export const telegramTokens: Detector = {
  kind: 'api_key',
  signs: ':',
  look(text, at) {
    if (text[at + 1] !== 'A' || text[at + 2] !== 'A') return null;
    const start = runStart(digit, text, at, 11);
    const end = runEnd(urlSafe, text, at + 1, 40);
    const isToken = at - start >= 8 && at - start <= 10 && end - at - 1 >= 34 && end - at - 1 <= 36;
    return isToken && !isInsideWord(text, start) && couldBeKey(text.slice(at, end)) ? { start, end } : null;
  },
};
