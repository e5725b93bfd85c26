/**
 * Previews of long payloads (contract: shared/contract/tracing/media.ts). JSON keeps its structure: first bytes become references, then long
 * texts are cut, then the middle of long lists is left out. The value is parsed once, and each attempt stops when the preview is full.
 */
import { jsonOf, type MediaReferences } from '../../../ingest/normalise/index.ts';
import { type Limits, PreviewText } from './preview-text.ts';

const textFloor = 200;
const fieldsMax = 64;
/** More elements than fit into a preview. */
const itemsMax = 4096;

/** Tried in order, from the mildest to one that fits any value. */
const limitSteps: readonly Limits[] = [
  { text: textFloor, items: Number.POSITIVE_INFINITY, fields: Number.POSITIVE_INFINITY, depth: 32 },
  ...[512, 64, 8].map((items) => ({ text: textFloor, items, fields: fieldsMax, depth: 32 })),
  { text: 80, items: 8, fields: 32, depth: 16 },
  { text: 40, items: 4, fields: 16, depth: 8 },
  { text: 40, items: 2, fields: 8, depth: 4 },
  { text: 40, items: 2, fields: 4, depth: 2 },
  { text: 0, items: 0, fields: 0, depth: 0 },
];

/** The text itself when it fits into `bytesMax` bytes of UTF-8, otherwise a shorter one. */
export function shorten(text: string, bytesMax: number, media: MediaReferences): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text;
  const json = jsonOf(text);
  const value = json ?? media.at(text);
  if (json === undefined && typeof value === 'string') return cutBytes(value, bytesMax);
  return shortenJson(value, new PreviewText(media, bytesMax)) ?? cutBytes(text, bytesMax);
}

/** Applies the first limits that fit, then raises them: as many elements as possible, then texts as long as possible. */
function shortenJson(value: unknown, preview: PreviewText): string | null {
  let tooMany = itemsMax;
  for (const limits of limitSteps) {
    if (preview.of(value, limits) !== null) {
      const items = largest(limits.items, tooMany, (number) => preview.of(value, { ...limits, items: number }) !== null);
      const text = largest(limits.text, preview.bytesMax + 1, (length) => preview.of(value, { ...limits, items, text: length }) !== null);
      return preview.of(value, { ...limits, items, text });
    }
    tooMany = Math.min(tooMany, limits.items);
  }
  return null;
}

/** Largest fitting number between a fitting and a too large one, by bisection. */
function largest(fitting: number, tooLarge: number, fits: (number: number) => boolean): number {
  let low = fitting;
  for (let high = tooLarge; high - low > 1; ) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Cuts after whole characters. */
function cutBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text.slice(0, bytesMax));
  let end = Math.min(bytes.length, bytesMax);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
