/** Whether bytes without a word prove that no content has it. */
import { traits } from './rewritten-text.ts';
import { unreadable } from './stored-signatures.ts';

const rewritesAny = traits.escapedAscii | traits.controls | traits.lists | traits.textParts;
const digits = new Set(Buffer.from('0123456789eE'));

/** @param found traits of everything that the spans were sent with */
export function isDecisive(word: Buffer, found: number): boolean {
  if (found === 0) return true;
  if (found === unreadable || (found & rewritesAny) !== 0) return false;
  if ((found & traits.numbers) !== 0 && word.every((byte) => digits.has(byte))) return false;
  return (found & traits.escapedLetters) === 0 || word.every((byte) => byte < 0x80);
}
