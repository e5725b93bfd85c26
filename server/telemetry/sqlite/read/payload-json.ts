/**
 * The value of a payload that is JSON of a list, an object or a text; undefined for any other text. However deep it is, and whatever its
 * keys: those who walk it stop at their own depth, and write text instead of objects.
 */
export function jsonOf(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
