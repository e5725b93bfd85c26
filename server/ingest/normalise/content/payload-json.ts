/**
 * The value of a payload that is JSON of a list, an object or a text; undefined for any other text, and for JSON that was cut. Nothing is
 * taken out, however deep it is and whatever its keys: only for those who stop at a depth of their own and never assign a key.
 */
export function jsonOf(text: string): unknown {
  if (!/^\s*["[{]/.test(text) || !'"]}'.includes(text.trimEnd().at(-1) ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
