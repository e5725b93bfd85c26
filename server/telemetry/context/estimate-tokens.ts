/**
 * Estimates how many tokens a text is, to share a reported count out among the parts of a prompt. Only proportions matter. How close it comes to a
 * tokeniser: docs/adr/045-windows-from-recorded-prompts.md.
 */

const [lower, upper, digits, symbols, spaces, other, ideographs] = [0, 1, 2, 3, 4, 5, 6];
/** By kind: how many characters of a run are one token. */
const charactersPerToken = [7, 3, 2.6, 2.6, 14, 3, 1.2] as const;

const kindsOfAscii = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[a-z]/.test(character)) return lower;
  if (/[A-Z]/.test(character)) return upper;
  if (/\d/.test(character)) return digits;
  return /\s/.test(character) ? spaces : symbols;
});

function kindOf(code: number): number {
  if (code < 128) return kindsOfAscii[code] as number;
  if (code < 0x2000) return other;
  return code >= 0x2e80 ? ideographs : symbols;
}

/** At least 1 for a text that is not empty. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let from = 0; from < text.length; ) {
    const first = kindOf(text.charCodeAt(from));
    let to = from + 1;
    // A capital belongs to the word that it begins.
    const kind = first === upper && to < text.length && kindOf(text.charCodeAt(to)) === lower ? lower : first;
    while (to < text.length && kindOf(text.charCodeAt(to)) === kind) to++;
    // A single space belongs to the word after it.
    if (kind !== spaces || to - from > 1) tokens += Math.max(1, (to - from) / (charactersPerToken[kind] as number));
    from = to;
  }
  return text === '' ? 0 : Math.max(1, Math.round(tokens));
}

/** What providers charge for an image of about a megapixel. */
const imageTokens = 1200;
/** Bytes of other media for one token: about a minute of speech or a page of a document in a thousand tokens. */
const bytesPerToken = 100;

/** @param base64Length 0 when only a reference was recorded */
export function mediaTokens(modality: string, base64Length: number): number {
  return modality === 'image' || base64Length === 0 ? imageTokens : Math.max(1, Math.round((base64Length * 3) / 4 / bytesPerToken));
}
