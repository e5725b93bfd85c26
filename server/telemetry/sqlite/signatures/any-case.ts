/** Finds folded words in UTF-8 bytes without decoding or folding them, which takes several times as long. */
import { foldCase } from '../../../../shared/filter/fold-case.ts';

/** No letter beyond has another case. */
const lastCased = 0x1_ffff;

/** The letters of each folded letter that are not their own folded form. */
let formsOf: Map<string, string[]> | null = null;

function readForms(): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (let code = 0; code <= lastCased; code++) {
    // Halves of surrogate pairs are no letters.
    if (code === 0xd800) code = 0xe000;
    const letter = String.fromCodePoint(code);
    const folded = foldCase(letter);
    if (folded !== letter) forms.set(folded, [...(forms.get(folded) ?? []), letter]);
  }
  return forms;
}

/** The other forms of a folded letter. Those of ASCII are known without the table, which takes as long to make as half a search. */
function otherForms(letter: string): readonly string[] {
  if (letter <= '\x7f') return /[a-z]/.test(letter) ? [letter.toUpperCase()] : [];
  formsOf ??= readForms();
  return formsOf.get(letter) ?? [];
}

/** A pattern for a folded word of letters, in bytes that are read as Latin-1. */
export function anyCasePattern(word: string): RegExp {
  const source = [...word].map((letter) => {
    const bytes = [letter, ...otherForms(letter)].map((form) => Buffer.from(form).toString('latin1'));
    return `(?:${bytes.join('|')})`;
  });
  return new RegExp(source.join(''));
}
