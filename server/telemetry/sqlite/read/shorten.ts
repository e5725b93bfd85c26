/** Previews of long payloads. JSON stays JSON: long strings inside are cut, the structure is kept, so a reader can still render it. */

const stringLengths = [2000, 1000, 500, 200, 80, 20];
const itemCounts = [Number.POSITIVE_INFINITY, 64, 16, 4];

/** The text itself when it fits into `bytesMax` bytes of UTF-8, otherwise a shorter one. */
export function shorten(text: string, bytesMax: number): string {
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text;
  return shortenJson(text, bytesMax) ?? cutBytes(text, bytesMax);
}

/** Bodies beyond this are not worth parsing for a preview. */
const parsedLengthMax = 4 * 1024 * 1024;

function shortenJson(text: string, bytesMax: number): string | null {
  const first = text.trimStart()[0];
  if ((first !== '[' && first !== '{') || text.length > parsedLengthMax) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  for (const items of itemCounts) {
    for (const length of stringLengths) {
      const short = JSON.stringify(cutInside(value, length, items, 0));
      if (Buffer.byteLength(short) <= bytesMax) return short;
    }
  }
  return null;
}

const depthMax = 32;

function cutInside(value: unknown, length: number, items: number, depth: number): unknown {
  if (typeof value === 'string') return value.length <= length ? value : `${wellCut(value, length)}…`;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= depthMax) return '…';
  if (Array.isArray(value)) {
    const kept = value.length <= items ? value : [...value.slice(0, items / 2), ...value.slice(-items / 2)];
    return kept.map((each) => cutInside(each, length, items, depth + 1));
  }
  const short: Record<string, unknown> = Object.create(null);
  for (const [key, each] of Object.entries(value).slice(0, items)) short[key] = cutInside(each, length, items, depth + 1);
  return short;
}

function wellCut(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}

/** Cuts after whole characters. */
function cutBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text.slice(0, bytesMax));
  let end = Math.min(bytes.length, bytesMax);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}
