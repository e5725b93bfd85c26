/**
 * Checks JSON bytes before they are parsed. `JSON.parse` accepts five million nested arrays, blocks for seconds to build them, and
 * recursive code then overflows the stack; seven million empty objects side by side (20 MiB, or 20 KiB of gzip) took it 11 s and a
 * gigabyte. So depth, keys and values are counted in the bytes first.
 */
import { otlpLimits } from './limits.ts';

const quote = 0x22;
const backslash = 0x5c;

/** Called for the structure of JSON bytes as they are scanned. Depth counts from 1; positions are byte offsets. */
export interface JsonVisitor {
  /**
   * An array or object opens at this depth.
   * @returns the position behind it when the visitor has read it whole, else -1
   */
  opened(depth: number, at: number): number;
  /** Contents of the last array or object that the visitor has read whole, itself included. */
  readonly containers: number;
  readonly values: number;
  /** The array or object at this depth closes. */
  closed(depth: number, at: number): void;
  /** A key of the object at this depth: its bytes between the quotes, with escapes. */
  key(depth: number, from: number, to: number): void;
}

/**
 * Describes the limit that the structure exceeds, or null. Syntax errors are left to the parser.
 * @param valuesMax maximum number of values and keys together
 */
export function findJsonBomb(
  bytes: Uint8Array,
  visitor: JsonVisitor | null = null,
  valuesMax: number = otlpLimits.jsonValuesMax,
): string | null {
  const keys = new Uint32Array(otlpLimits.jsonDepthMax + 1);
  let depth = 0;
  let containers = 0;
  // Each value but the first of its container follows a comma, and each key comes before a colon.
  let values = 0;
  let [textFrom, textTo] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      textFrom = at + 1;
      at = endOfString(bytes, at);
      textTo = at;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > otlpLimits.jsonDepthMax) return `nested deeper than ${otlpLimits.jsonDepthMax} levels`;
      keys[depth] = 0;
      values++;
      if (++containers > otlpLimits.jsonContainersMax) return `more than ${otlpLimits.jsonContainersMax} arrays and objects`;
      const end = visitor === null ? -1 : visitor.opened(depth, at);
      if (visitor === null || end === -1) continue;
      depth--;
      at = end - 1;
      containers += visitor.containers - 1;
      values += visitor.values - 1;
      if (containers > otlpLimits.jsonContainersMax) return `more than ${otlpLimits.jsonContainersMax} arrays and objects`;
      if (values > valuesMax) return `more than ${valuesMax} values and keys`;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) continue;
      visitor?.closed(depth, at);
      depth--;
    } else if (byte === 0x2c) {
      if (++values > valuesMax) return `more than ${valuesMax} values and keys`;
    } else if (byte === 0x3a) {
      if (++values > valuesMax) return `more than ${valuesMax} values and keys`;
      if (countKey(keys, depth) > otlpLimits.jsonKeysMax) return `an object with more than ${otlpLimits.jsonKeysMax} keys`;
      visitor?.key(depth, textFrom, textTo);
    }
  }
  return null;
}

function countKey(keys: Uint32Array, depth: number): number {
  const count = (keys[depth] ?? 0) + 1;
  keys[depth] = count;
  return count;
}

/** Most strings are keys and names, too short for `indexOf` to be faster. */
const shortString = 32;

/** The index of the closing quote, or the end of the text. Long strings are skipped natively. */
function endOfString(bytes: Uint8Array, open: number): number {
  const near = Math.min(open + shortString, bytes.length);
  let at = open + 1;
  for (; at < near; at++) {
    if (bytes[at] === quote) return at;
    if (bytes[at] === backslash) at++;
  }
  let close = bytes.indexOf(quote, at);
  while (close !== -1) {
    let slashes = 0;
    while (bytes[close - 1 - slashes] === backslash) slashes++;
    if (slashes % 2 === 0) return close;
    close = bytes.indexOf(quote, close + 1);
  }
  return bytes.length;
}
