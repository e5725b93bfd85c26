import { expect, it } from 'vitest';
import { wordsOfNetwork } from './network-words.ts';

it.each([
  ['ENOTFOUND', 'There is no host of this name, ENOTFOUND'],
  ['timeout', 'No answer came in time, timeout'],
  ['EWHATEVER', 'The host could not be reached, EWHATEVER'],
])('%s is said in words', (code, said) => expect(wordsOfNetwork(code)).toBe(said));
