/**
 * Splits a text into words. A word is a run of letters and digits, or one character of a script that is written without spaces. The index relies
 * on one property: the words of a part of a text are words of the whole text, except the first and the last, which may be cut. So the same
 * function must read texts and queries.
 */

/** Longer runs are base64 and the like, which nobody searches by word. */
export const wordLengthMax = 100;

type Kind = 0 | 1 | 2;
const separator: Kind = 0;
const letter: Kind = 1;
const singleCharacter: Kind = 2;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => (/[0-9A-Za-z_]/.test(String.fromCharCode(code)) ? letter : separator));

function kindOf(code: number): number {
  if (code < 0x80) return asciiKinds[code] as number;
  // Latin, Greek, Cyrillic, Arabic, Indic and so on up to punctuation; Han, Kana, Hangul and emoji from 2E80.
  if (code < 0xc0) return separator;
  if (code < 0x2000) return letter;
  return code < 0x2e80 ? separator : singleCharacter;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Characters of base64; `/` and `+` split a run into words, most of them short. */
const isBlobCharacter = Uint8Array.from({ length: 128 }, (_, code) => (/[0-9A-Za-z_+/=-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Matches the start of a blob. An expression for the whole blob would keep its backtracking state on the stack, which overflows for megabytes. */
const blobStart = new RegExp(`[0-9A-Za-z_+/=-]{${wordLengthMax + 1}}`, 'g');

/** Blobs of a text, and the text without them; null when a blob is adjacent to a letter, so that it cannot be separated. */
export function takeBlobs(text: string): { blobs: string[]; rest: string } | null {
  const blobs: string[] = [];
  const rest: string[] = [];
  let from = 0;
  blobStart.lastIndex = 0;
  for (let match = blobStart.exec(text); match; match = blobStart.exec(text)) {
    const { index } = match;
    let end = blobStart.lastIndex;
    while (isBlobCharacter[text.charCodeAt(end)] === 1) end++;
    blobStart.lastIndex = end;
    if (kindOf(text.charCodeAt(index - 1)) === letter || kindOf(text.charCodeAt(end)) === letter) return null;
    blobs.push(text.slice(index, end));
    rest.push(text.slice(from, index));
    from = end;
  }
  rest.push(text.slice(from));
  return { blobs, rest: rest.join(' ') };
}

export interface Run {
  text: string;
  /** The run touches the start or the end of the query, so in a longer text the word might continue there. */
  opensLeft: boolean;
  opensRight: boolean;
}

export const isSeparator = (code: number): boolean => kindOf(code) === separator;

/**
 * Visits each word, repetitions included, from a position between words until `visit` returns false.
 * @returns false when `visit` stopped it
 */
export function eachWord(text: string, from: number, visit: (start: number, end: number) => boolean): boolean {
  const { length } = text;
  for (let at = from; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === separator) continue;
    let end = at + 1;
    if (kind === letter) while (end < length && kindOf(text.charCodeAt(end)) === letter) end++;
    else if (isHigh(code) && end < length && isLow(text.charCodeAt(end))) end++;
    // A lone surrogate has no UTF-8 form, so it counts as a separator.
    else if (isHigh(code) || isLow(code)) continue;
    if (!visit(at, end)) return false;
    at = end - 1;
  }
  return true;
}

/** Words of a query. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  eachWord(text, 0, (start, end) => {
    const isLetters = kindOf(text.charCodeAt(start)) === letter;
    runs.push({ text: text.slice(start, end), opensLeft: isLetters && start === 0, opensRight: isLetters && end === text.length });
    return true;
  });
  return runs;
}

/** Whether a text contains the query exactly when one of its words does. */
export const isOneWord = (query: string, runs: readonly Run[]): boolean => runs.length === 1 && runs[0]?.text === query;
