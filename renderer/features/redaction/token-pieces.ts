/** Diff of a text and its redacted form: whole tokens, each after the value it replaced. */
import type { DiffPiece } from '../../model/text/word-diff.ts';

const tokens = /(‹[a-z_]{1,16}-[a-z2-7]{16}›)/;

/**
 * Text between tokens is the same in both, in the same order, so each token replaced the text between its neighbours. Null when the texts
 * differ otherwise.
 */
export function tokenPieces(before: string, after: string): DiffPiece[] | null {
  const parts = after.split(tokens);
  const pieces: DiffPiece[] = [];
  let at = 0;
  let put = '';
  for (let part = 0; part < parts.length; part++) {
    const text = parts[part] as string;
    if (part % 2 === 1) {
      put += text;
      continue;
    }
    const isLast = part === parts.length - 1;
    // Tokens without anything between them are one place.
    if (text === '' && part > 0 && !isLast) continue;
    const from = isLast ? before.length - text.length : before.indexOf(text, put === '' ? at : at + 1);
    if (from < at || !before.startsWith(text, from) || (put === '' && from !== at)) return null;
    const was = before.slice(at, from);
    if (put === was) pieces.push({ kind: 'same', text: put });
    else pieces.push({ kind: 'removed', text: was }, { kind: 'added', text: put });
    pieces.push({ kind: 'same', text });
    at = from + text.length;
    put = '';
  }
  return pieces.filter(({ text }) => text !== '');
}
