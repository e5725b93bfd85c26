/**
 * Looks over JSON bytes before they are parsed. `JSON.parse` builds five million nested arrays without complaint and blocks
 * for seconds doing so, and recursive code then dies on them; seven million empty objects side by side (20 MiB, or 20 KiB of
 * gzip) took it 11 s and a gigabyte. So depth, width and number are counted on the bytes first.
 */
import { otlpLimits } from './limits.ts';

const quote = 0x22;
const backslash = 0x5c;

/** Says what is wrong with the shape, or null. Syntax errors are left to the parser. */
export function findJsonBomb(bytes: Uint8Array): string | null {
  const keys = new Uint32Array(otlpLimits.jsonDepthMax + 1);
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > otlpLimits.jsonDepthMax) return `nested deeper than ${otlpLimits.jsonDepthMax} levels`;
      keys[depth] = 0;
      if (++containers > otlpLimits.jsonContainersMax) return `more than ${otlpLimits.jsonContainersMax} arrays and objects`;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (depth > 0) depth--;
    } else if (byte === 0x3a && countKey(keys, depth) > otlpLimits.jsonKeysMax) {
      return `an object with more than ${otlpLimits.jsonKeysMax} keys`;
    }
  }
  return null;
}

function countKey(keys: Uint32Array, depth: number): number {
  const count = (keys[depth] ?? 0) + 1;
  keys[depth] = count;
  return count;
}

/** The index of the closing quote, or the end of the text. Long strings are skipped natively. */
function endOfString(bytes: Uint8Array, open: number): number {
  let close = bytes.indexOf(quote, open + 1);
  while (close !== -1) {
    let slashes = 0;
    while (bytes[close - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return close;
    close = bytes.indexOf(quote, close + 1);
  }
  return bytes.length;
}
