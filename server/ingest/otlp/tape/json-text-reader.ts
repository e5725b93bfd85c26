/** Texts and numbers of compact JSON, read where they lie. Each method takes a place and returns the one behind, or -1 when it is not for it. */
import { otlpLimits } from '../limits.ts';
import { Cell, type CellKind } from './span-tape.ts';

export const refused = -1;
export const quote = 0x22;
export const comma = 0x2c;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
const backslash = 0x5c;
const colon = 0x3a;
const zero = 0x30;
const nine = 0x39;
const minus = 0x2d;

/** Bytes of a text that are neither its end, nor an escape, nor forbidden. */
const isPlain = new Uint8Array(256).fill(1).fill(0, 0, 0x20);
isPlain[quote] = 0;
isPlain[backslash] = 0;

/** What may follow a backslash: 1 as `JSON.stringify` would write it, 2 in another way. */
const escapes = new Uint8Array(256);
for (const letter of '"\\bfnrt') escapes[letter.charCodeAt(0)] = 1;
for (const letter of '/u') escapes[letter.charCodeAt(0)] = 2;

const digitsMax = 15;
/** Longer numbers, and larger exponents, may not be finite. */
const doubleText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/;
const doubleBytesMax = 30;
/** A value stands less deep than this. */
const depthMax = otlpLimits.jsonDepthMax - 16;

export class JsonTextReader {
  protected readonly bytes: Buffer;
  /** The text or number just read. */
  protected kind: CellKind = Cell.none;
  protected from = 0;
  protected to = 0;
  protected number = 0;
  /** What was read, for the limits of a body: arrays and objects, and these together with keys and other values. */
  containers = 0;
  values = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Whether these bytes stand there. */
  protected has(at: number, expected: Uint8Array): boolean {
    const { bytes } = this;
    for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false;
    return true;
  }

  /** A text, from its opening quote. */
  protected text(open: number): number {
    const { bytes } = this;
    const { length } = bytes;
    if (bytes[open] !== quote) return refused;
    let at = open + 1;
    let all = 0;
    let worstEscape = 0;
    for (; at < length; at++) {
      // Four at once, as long as there is nothing to look at.
      for (; at + 3 < length; at += 4) {
        const [first, second, third, fourth] = [
          bytes[at] as number,
          bytes[at + 1] as number,
          bytes[at + 2] as number,
          bytes[at + 3] as number,
        ];
        if (((isPlain[first] as number) & (isPlain[second] as number) & (isPlain[third] as number) & (isPlain[fourth] as number)) === 0)
          break;
        all |= first | second | third | fourth;
      }
      const byte = bytes[at] as number;
      all |= byte;
      if (isPlain[byte] === 1) continue;
      if (byte === quote) break;
      const form = byte === backslash ? (escapes[bytes[++at] ?? 0] as number) : 0;
      if (form === 0 || (form === 2 && bytes[at] !== 0x2f && !this.#isCharacter(at + 1))) return refused;
      if (form > worstEscape) worstEscape = form;
    }
    if (at >= length) return refused;
    this.from = open + 1;
    this.to = at;
    const isAscii = all < 0x80;
    if (worstEscape === 0) this.kind = isAscii ? Cell.ascii : Cell.utf8;
    else if (worstEscape === 1) this.kind = isAscii ? Cell.escapedAscii : Cell.escapedUtf8;
    else this.kind = Cell.otherEscapes;
    return at + 1;
  }

  /** Four hexadecimal digits that are no half of a surrogate pair: those may stand alone. */
  #isCharacter(at: number): boolean {
    for (let index = 0; index < 4; index++) {
      const byte = this.bytes[at + index] ?? 0;
      const isDigit = byte >= zero && byte <= nine;
      if (!isDigit && !(byte >= 0x41 && byte <= 0x46) && !(byte >= 0x61 && byte <= 0x66)) return false;
    }
    return !/^d[89a-f]/i.test(this.bytes.toString('latin1', at, at + 2));
  }

  /** Digits of a number that is not negative, without leading zeros; its value is in `number`. */
  protected digits(from: number, most = digitsMax): number {
    const { bytes } = this;
    let at = from;
    let value = 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte < zero || byte > nine) break;
      value = value * 10 + byte - zero;
    }
    const count = at - from;
    if (count === 0 || count > most || (count > 1 && bytes[from] === zero)) return refused;
    this.number = value;
    return at;
  }

  /** A whole number that a double holds, bare or between quotes. */
  protected integer(open: number): number {
    const isQuoted = this.bytes[open] === quote;
    const from = isQuoted ? open + 1 : open;
    const isNegative = this.bytes[from] === minus;
    const to = this.digits(isNegative ? from + 1 : from);
    if (to === refused || (isNegative && this.number === 0)) return refused;
    this.kind = Cell.int;
    this.from = from;
    this.to = to;
    if (isQuoted) return this.bytes[to] === quote ? to + 1 : refused;
    return this.#endsNumber(to) ? to : refused;
  }

  protected double(from: number): number {
    let to = from;
    while (to - from < doubleBytesMax && !this.#endsNumber(to)) to++;
    if (!doubleText.test(this.bytes.toString('latin1', from, to))) return refused;
    this.kind = Cell.double;
    this.from = from;
    this.to = to;
    return to;
  }

  #endsNumber(at: number): boolean {
    const byte = this.bytes[at];
    return byte === comma || byte === closeBrace;
  }

  /** An array or object of whatever kind; whether it is JSON is seen when it is parsed. */
  protected container(open: number): number {
    const { bytes } = this;
    let depth = 0;
    let keys = 0;
    for (let at = open; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        const end = this.text(at);
        if (end === refused) return refused;
        at = end - 1;
      } else if (byte === openBrace || byte === openBracket) {
        if (++depth > depthMax) return refused;
        this.containers++;
        this.values++;
      } else if (byte === closeBrace || byte === closeBracket) {
        if (--depth === 0) return at + 1;
      } else if (byte === comma) this.values++;
      else if (byte === colon) {
        this.values++;
        if (++keys > otlpLimits.jsonKeysMax) return refused;
      }
    }
    return refused;
  }
}
