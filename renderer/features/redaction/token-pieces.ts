/** Diff of a text and its redacted form: each token follows the value that it replaced. */
import type { DiffPiece } from '../../model/text/word-diff.ts';

const tokens = /(‹[a-z_]{1,16}-[a-z2-7]{16}›)/;

/**
 * The text between tokens is the same in both and in the same order, so each token replaced the text between its neighbours.
 * @returns null when the texts differ in more than tokens
 */
export function tokenPieces(before: string, after: string): DiffPiece[] | null {
  const parts = after.split(tokens);
  const pieces: DiffPiece[] = [];
  let at = 0;
  let replacement = '';
  for (let part = 0; part < parts.length; part++) {
    const text = parts[part] as string;
    if (part % 2 === 1) {
      replacement += text;
      continue;
    }
    const isLast = part === parts.length - 1;
    // Adjacent tokens are treated as one.
    if (text === '' && part > 0 && !isLast) continue;
    const from = isLast ? before.length - text.length : before.indexOf(text, replacement === '' ? at : at + 1);
    if (from < at || !before.startsWith(text, from) || (replacement === '' && from !== at)) return null;
    const original = before.slice(at, from);
    if (replacement === original) pieces.push({ kind: 'same', text: replacement });
    else pieces.push({ kind: 'removed', text: original }, { kind: 'added', text: replacement });
    pieces.push({ kind: 'same', text });
    at = from + text.length;
    replacement = '';
  }
  return pieces.filter(({ text }) => text !== '');
}
