/**
 * Text without NUL characters, lone surrogates replaced (docs/reference/ingest.md#text). Most texts are returned unchanged.
 */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole;
}
