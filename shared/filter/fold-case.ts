/**
 * Letters, most of them phonetic, whose lower case form has another kind of byte in UTF-8 (İ ẞ, the signs K, Å and Ω…), and their neighbours. They
 * stay as they are, so that signatures of words can be searched in any case.
 */
const kept = '[\u0130\u023a\u023e\u1e9e\u2126\u212a\u212b\u2c62-\u2c7f\ua78d-\ua7dc]';
const anyKept = new RegExp(kept);
const everyKept = new RegExp(`(${kept})`);

/** A text in the form in which words are compared. Works letter by letter: a part of a text becomes a part of its form. */
export function foldCase(text: string): string {
  if (!anyKept.test(text)) return lower(text);
  return text
    .split(everyKept)
    .map((part, at) => (at % 2 === 1 ? part : lower(part)))
    .join('');
}

/** The lower case of Σ depends on its place. */
const lower = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');
