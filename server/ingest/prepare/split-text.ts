/**
 * Splits a long text into pieces, so that each is stored once. An agent sends its whole history with every call, so the JSON array of
 * step n+1 begins with that of step n: splits between messages, determined from the start of the text, make all but the newest pieces
 * equal. The joined pieces are the text, byte for byte.
 */

/** Shorter texts stay inside their record: to look up a piece costs more than to repeat it. */
export const pieceLengthMin = 1024;

export interface Pieces {
  /** Each at least `pieceLengthMin` long. */
  pieces: string[];
  /** The rest after the last split. */
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
    // Splits before commas and closing brackets: a message is the same piece whether it is the newest of its history or not.
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
