/** Whether a text could be made by chance: keys are, words are not. */

/** Looked at no further than this. */
const lookedMax = 96;

export interface Makeup {
  /** Different characters. */
  distinct: number;
  digits: number;
  lower: number;
  upper: number;
  others: number;
  /** Bits for each character, by how often they come. */
  entropy: number;
}

/** How often each ASCII character came, and all others together. All zero between two texts: a map for each cost ten times as much. */
const counts = new Uint8Array(129);
const beyond = 128;

/** What the beginning of a text is made of. */
export function makeupOf(text: string): Makeup {
  const length = Math.min(text.length, lookedMax);
  const makeup = { distinct: 0, digits: 0, lower: 0, upper: 0, others: 0, entropy: 0 };
  for (let at = 0; at < length; at++) {
    const code = Math.min(text.charCodeAt(at), beyond);
    if (counts[code] === 0) makeup.distinct++;
    counts[code] = (counts[code] as number) + 1;
    if (code >= 48 && code <= 57) makeup.digits++;
    else if (code >= 97 && code <= 122) makeup.lower++;
    else if (code >= 65 && code <= 90) makeup.upper++;
    else makeup.others++;
  }
  for (let at = 0; at < length; at++) {
    const code = Math.min(text.charCodeAt(at), beyond);
    const share = (counts[code] as number) / length;
    if (share === 0) continue;
    makeup.entropy -= share * Math.log2(share);
    counts[code] = 0;
  }
  return makeup;
}

/** Behind a prefix that says already that a key follows: no `xxxxxxxx`, no `your_token_here`. */
export function couldBeKey(text: string): boolean {
  const { distinct, digits, upper, lower } = makeupOf(text);
  return distinct >= 8 && (digits > 0 || (upper > 0 && lower > 0));
}

/** Where words could stand as well, as in `sk-learn-…`: it has digits all over. */
export function isRandom(text: string): boolean {
  const { digits, upper, lower, entropy, distinct } = makeupOf(text);
  return distinct >= 8 && digits >= 2 && upper + lower > 0 && entropy >= 3;
}
