/**
 * How bytes of UTF-8 text form words. Texts and queries are split by the same table, and a byte belongs to the same kind wherever it stands, so
 * each word of a part of a text is a word, or part of a word, of the whole text.
 */

/** Separates words. */
export const separator = 0;
/** ASCII letters, digits, underscore, and letters of two bytes (Latin, Greek, Cyrillic, Hebrew, Arabic…). */
export const letter = 1;
/** Separates words, and may be part of something that the normaliser rewrites: backslash, comma, control characters. */
export const notable = 2;
/** First byte of a character of three or four bytes: many of these scripts are written without spaces, so each pair of characters is a word. */
export const wide = 3;

/** Escaped in JSON text as one letter: \b \t \n \f \r. */
const isShortEscape = (byte: number): boolean => byte >= 0x08 && byte <= 0x0d && byte !== 0x0b;

function kindOf(byte: number): number {
  if (byte < 0x20) return isShortEscape(byte) ? separator : notable;
  if (byte < 0x80) return /\w/.test(String.fromCharCode(byte)) ? letter : byte === 0x5c || byte === 0x2c ? notable : separator;
  return byte < 0xe0 ? letter : wide;
}

export const kinds = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));

/** Bytes as they are in a signature: ASCII letters in lower case, so that most searches in any case need no other form of its words. */
export const lowerCase = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/** Shorter words are not in a signature. */
export const wordLengthMin = 3;

/** Bytes. Longer words are encoded bytes: only their trigrams are in a signature. */
export const wordLengthMax = 64;

/** Length of a wide character by its first byte. */
export const wideLength = (first: number): number => (first >= 0xf0 ? 4 : 3);

/**
 * Entries that are no words. Their first byte occurs in no word.
 * A unit with encoded bytes has `encoded`, and their trigrams of one class after `trigramMark`; trigrams of the digits of long fractions follow
 * `fractionMark`. `count` says that any number, `any` that any text can be in a content.
 */
export const marks = { encoded: '\x02', trigram: '\x01', fraction: '\x03', count: '\x04', any: '\x05' } as const;

const name = 1;
const digit = 2;

/** Classes of characters in encoded bytes, letters and digits: most words of a search are of one class. 0 is any other character. */
export const trigramClasses = Uint8Array.from(lowerCase, (byte) => {
  if ((byte >= 0x61 && byte <= 0x7a) || byte === 0x5f) return name;
  return byte >= 0x30 && byte <= 0x39 ? digit : 0;
});

/** Whether three bytes have one class. */
export const isTrigram = (bytes: Uint8Array, at: number): boolean => {
  const kind = trigramClasses[bytes[at] as number];
  return kind !== 0 && kind === trigramClasses[bytes[at + 1] as number] && kind === trigramClasses[bytes[at + 2] as number];
};
