/**
 * Previews of long payloads (contract: shared/contract/media.ts). JSON stays JSON of the same shape: first bytes become references, then
 * long texts are cut, then the middle of long lists is left out. One parse, however long the value is: an attempt to fit writes no more
 * than the preview may hold, and looks only at what it writes.
 */
import type { MediaReferences } from '../../../ingest/normalise/index.ts';
import { type Limits, PreviewText } from './preview-text.ts';

const textFloor = 200;
const fieldsMax = 64;

/** From the mildest to one that any value fits into. Of those that differ in their texts only, the longest texts that fit are found. */
const limitsTried: readonly Limits[] = [
  { text: textFloor, items: Number.POSITIVE_INFINITY, fields: Number.POSITIVE_INFINITY, depth: 32 },
  ...[512, 256, 128, 64, 32, 16, 8].map((items) => ({ text: textFloor, items, fields: fieldsMax, depth: 32 })),
  { text: 80, items: 8, fields: 32, depth: 16 },
  { text: 40, items: 4, fields: 16, depth: 8 },
  { text: 40, items: 2, fields: 8, depth: 4 },
  { text: 40, items: 2, fields: 4, depth: 2 },
  { text: 0, items: 0, fields: 0, depth: 0 },
];

/** The text itself when it fits into `bytesMax` bytes of UTF-8, otherwise a shorter one. */
export function shorten(text: string, bytesMax: number, media: MediaReferences): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text;
  const json = parsed(text);
  const value = json ?? media.at(text);
  if (json === undefined && typeof value === 'string') return cutBytes(value, bytesMax);
  return shortenJson(value, new PreviewText(media, bytesMax)) ?? cutBytes(text, bytesMax);
}

/** Undefined unless the text is JSON of a list, an object or a text. However deep: it is only looked into as far as a preview goes. */
function parsed(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shortenJson(value: unknown, preview: PreviewText): string | null {
  for (const limits of limitsTried) {
    const text = preview.of(value, limits);
    if (text !== null) return withLongestTexts(text, preview, value, limits);
  }
  return null;
}

/** Halves the distance between a length that fits and one that does not; a dozen attempts. */
function withLongestTexts(fitting: string, preview: PreviewText, value: unknown, limits: Limits): string {
  const whole = preview.of(value, { ...limits, text: preview.bytesMax });
  if (whole !== null) return whole;
  let best = fitting;
  for (let low = limits.text, high = preview.bytesMax; high - low > 8; ) {
    const middle = (low + high) >> 1;
    const text = preview.of(value, { ...limits, text: middle });
    best = text ?? best;
    if (text === null) high = middle;
    else low = middle;
  }
  return best;
}

/** Cuts after whole characters. */
function cutBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text.slice(0, bytesMax));
  let end = Math.min(bytes.length, bytesMax);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
