/**
 * Collapses long text to its first and last part with the number of hidden characters. Cuts between code points, at a nearby line end if there is one.
 */
const textMax = 4000;
const headChars = 2000;
const tailChars = 600;

export interface FoldedText {
  head: string;
  hiddenChars: number;
  tail: string;
}

const isLowSurrogate = (text: string, at: number) => /[\udc00-\udfff]/.test(text.charAt(at));

/** First characters of a text, never ending inside a surrogate pair. */
export const startOf = (text: string, chars: number): string => text.slice(0, chars).replace(/[\ud800-\udbff]$/, '');

export function foldText(text: string): FoldedText | null {
  if (text.length <= textMax) return null;
  const lineEnd = text.lastIndexOf('\n', headChars);
  let to = lineEnd > headChars / 2 ? lineEnd : headChars;
  if (isLowSurrogate(text, to)) to += 1;
  let from = text.length - tailChars;
  const lineStart = text.indexOf('\n', from);
  if (lineStart !== -1 && lineStart < text.length - tailChars / 2) from = lineStart + 1;
  if (isLowSurrogate(text, from)) from += 1;
  return { head: text.slice(0, to), hiddenChars: from - to, tail: text.slice(from) };
}
