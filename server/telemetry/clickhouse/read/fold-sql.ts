/** Comparison of texts in the form in which words are compared (shared/filter/fold-case.ts), as SQL. */
import { foldCase } from '../../../../shared/filter/fold-case.ts';
import { type Sql, sql, text } from './sql.ts';

let letters: { from: string; to: string } | null = null;

/** Letters beyond ASCII whose form is another letter. Each has one letter as its form. */
function foldedLetters() {
  if (letters) return letters;
  const from: string[] = [];
  const to: string[] = [];
  for (let code = 0x80; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    const form = foldCase(letter);
    if (form === letter) continue;
    from.push(letter);
    to.push(form);
  }
  letters = { from: from.join(''), to: to.join('') };
  return letters;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ascii = /^[\u0000-\u007f]*$/;

/** Whether the folded text of a column contains a folded text. The form of a letter is within ASCII only if the letter is. */
export function containsFolded(column: Sql, part: string): Sql {
  const folded = foldCase(part);
  if (folded === '') return sql`1`;
  if (ascii.test(folded)) return sql`position(lower(${column}), ${text(folded)}) > 0`;
  const { from, to } = foldedLetters();
  return sql`position(translateUTF8(lower(${column}), ${text(from)}, ${text(to)}), ${text(folded)}) > 0`;
}
