/**
 * Cuts a long text into pieces that are worth storing once. An agent sends its whole history with every call, so the
 * JSON array of step n+1 begins with that of step n: cutting between messages, always counted from the start, makes
 * all but the newest pieces equal. The pieces joined are the text again, byte for byte.
 */

/** Shorter texts stay inside their record: looking a piece up costs more than repeating it. */
export const pieceLengthMin = 1024;

export interface Pieces {
  /** Each at least `pieceLengthMin` long. */
  pieces: string[];
  /** What is left behind the last cut. */
  tail: string;
}

export function splitText(text: string): Pieces {
  const first = text.charCodeAt(0);
  const depthMax = first === openBracket ? 1 : first === openBrace ? 2 : 0;
  if (depthMax === 0) return { pieces: [text], tail: '' };
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) {
      at = endOfString(text, at);
      continue;
    }
    const closes = char === closeBracket || char === closeBrace;
    // Before what separates and what closes: a message is one piece whether it is the newest of its history or not.
    if ((char === comma || closes) && depth <= depthMax && at - start >= pieceLengthMin) {
      pieces.push(text.slice(start, at));
      start = at;
    }
    if (char === openBracket || char === openBrace) depth++;
    else if (closes) depth--;
  }
  const rest = text.slice(start);
  return rest.length >= pieceLengthMin ? { pieces: [...pieces, rest], tail: '' } : { pieces, tail: rest };
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1) {
    let slashes = 0;
    while (text.charCodeAt(close - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return close;
    close = text.indexOf('"', close + 1);
  }
  return text.length;
}
