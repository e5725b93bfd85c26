/**
 * Short texts that spans repeat, such as names, models and users, as one string each: neither the text nor its hash is made anew for every
 * span. Each place holds the latest text that fell on it, so texts that never repeat cost little and stay for a short time.
 */
const places: string[] = new Array(8192).fill('');
const bytesMax = 64;

/** The text of these bytes of UTF-8. Only ASCII is shared. @param encoding latin1, which is read faster, if they are known to be ASCII */
export function internedText(bytes: Buffer, from: number, to: number, encoding: 'latin1' | 'utf8' = 'utf8'): string {
  if (to - from > bytesMax) return bytes.toString(encoding, from, to);
  let hash = 0;
  let all = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    hash = (Math.imul(hash, 31) + byte) | 0;
    all |= byte;
  }
  if (all >= 0x80) return bytes.toString('utf8', from, to);
  const place = (hash ^ (hash >>> 13)) & (places.length - 1);
  const known = places[place] as string;
  if (isText(known, bytes, from, to)) return known;
  const text = bytes.toString('latin1', from, to);
  places[place] = text;
  return text;
}

function isText(text: string, bytes: Buffer, from: number, to: number): boolean {
  const { length } = text;
  if (length !== to - from) return false;
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) !== bytes[from + at]) return false;
  return true;
}
