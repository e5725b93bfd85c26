/**
 * The words of a text. A word is a run of letters and digits, or one character of a script that is written without spaces.
 * Whatever a text and a part of it are, the part's words are words of the text, but for the first and the last, which may be
 * cut: that is all the index rests on, so the same function reads both.
 */

/** Longer runs are base64 and the like, which nobody searches by words. */
export const wordLengthMax = 100;

type Kind = 0 | 1 | 2;
const separator: Kind = 0;
const letter: Kind = 1;
const alone: Kind = 2;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => (/[0-9A-Za-z_]/.test(String.fromCharCode(code)) ? letter : separator));

function kindOf(code: number): number {
  if (code < 0x80) return asciiKinds[code] as number;
  // Latin, Greek, Cyrillic, Arabic, Indic and so on up to punctuation; Han, Kana, Hangul and emoji from 2E80.
  if (code < 0xc0) return separator;
  if (code < 0x2000) return letter;
  return code < 0x2e80 ? separator : alone;
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Characters of base64; `/` and `+` split a run into words, most of them short. */
const ofBlobs = Uint8Array.from({ length: 128 }, (_, code) => (/[0-9A-Za-z_+/=-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** How a blob begins. An expression for all of it would keep its way back on the stack, which megabytes of it do not fit. */
const blobStart = new RegExp(`[0-9A-Za-z_+/=-]{${wordLengthMax + 1}}`, 'g');

/** The blobs of a text, and the text without them; null when one runs on into a word that is none. */
export function takeBlobs(text: string): { blobs: string[]; rest: string } | null {
  const blobs: string[] = [];
  const rest: string[] = [];
  let from = 0;
  blobStart.lastIndex = 0;
  for (let match = blobStart.exec(text); match; match = blobStart.exec(text)) {
    const { index } = match;
    let end = blobStart.lastIndex;
    while (ofBlobs[text.charCodeAt(end)] === 1) end++;
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
  /** The run touches the start or the end of the sought text, so in a longer text the word might continue there. */
  opensLeft: boolean;
  opensRight: boolean;
}

export const isSeparator = (code: number): boolean => kindOf(code) === separator;

/**
 * Visits each word from a place between words on, repetitions included, until `visit` gives false.
 * @returns false when it was stopped
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
    // Half a pair has no UTF-8 form: it is between words.
    else if (isHigh(code) || isLow(code)) continue;
    if (!visit(at, end)) return false;
    at = end - 1;
  }
  return true;
}

/** Words of a sought text. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  eachWord(text, 0, (start, end) => {
    const isLetters = kindOf(text.charCodeAt(start)) === letter;
    runs.push({ text: text.slice(start, end), opensLeft: isLetters && start === 0, opensRight: isLetters && end === text.length });
    return true;
  });
  return runs;
}

/** Whether a text contains the sought one exactly when one of its words does. */
export const isOneWord = (sought: string, runs: readonly Run[]): boolean => runs.length === 1 && runs[0]?.text === sought;
