/** One column of one segment as bytes: as few per row as its values allow. */
import { endianness } from 'node:os';

/** Codes in files are little-endian, as are the arrays of every machine that Node supports. */
if (endianness() !== 'LE') throw new Error('Columns are stored in the byte order of little-endian machines');

/** Stored as numbers. */
export const encoding = {
  /** All rows have the value `low`; there are no bytes. */
  constant: 0,
  /** Up to 256 different values: `unit` of them as doubles, then one byte a row. */
  dictionary: 1,
  /** The value is `low + unit * code`. */
  short: 2,
  long: 3,
  /** Doubles. */
  double: 4,
} as const;

export interface EncodedChunk {
  encoding: number;
  low: number;
  high: number;
  unit: number;
  data: Uint8Array | null;
}

const dictionaryMax = 256;

export function encodeChunk(values: Float64Array): EncodedChunk {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low === high) return { encoding: encoding.constant, low, high, unit: 1, data: null };
  const dictionary = encodeDictionary(values);
  if (dictionary) return { encoding: encoding.dictionary, low, high, unit: dictionary.size, data: dictionary.data };
  const unit = unitOf(values, low);
  const codeMax = unit === 0 ? Number.POSITIVE_INFINITY : (high - low) / unit;
  if (codeMax < 2 ** 16)
    return { encoding: encoding.short, low, high, unit, data: bytesOf(Uint16Array.from(values, (v) => (v - low) / unit)) };
  if (codeMax < 2 ** 32)
    return { encoding: encoding.long, low, high, unit, data: bytesOf(Uint32Array.from(values, (v) => (v - low) / unit)) };
  return { encoding: encoding.double, low, high, unit: 1, data: bytesOf(values.slice()) };
}

const bytesOf = (array: Uint16Array | Uint32Array | Float64Array): Uint8Array => new Uint8Array(array.buffer);

function encodeDictionary(values: Float64Array): { size: number; data: Uint8Array } | null {
  const codes = new Map<number, number>();
  const rows = new Uint8Array(values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    let code = codes.get(value);
    if (code === undefined) {
      if (codes.size === dictionaryMax) return null;
      code = codes.size;
      codes.set(value, code);
    }
    rows[at] = code;
  }
  const size = codes.size;
  const data = new Uint8Array(size * 8 + values.length);
  data.set(new Uint8Array(Float64Array.from(codes.keys()).buffer));
  data.set(rows, size * 8);
  return { size, data };
}

/** The largest number that divides all distances from the lowest value; 0 when they are not whole, or too large to be exact. */
function unitOf(values: Float64Array, low: number): number {
  let unit = 0;
  for (const value of values) {
    if (!Number.isSafeInteger(value) || !Number.isSafeInteger(value - low)) return 0;
    let [a, b] = [value - low, unit];
    while (b !== 0) [a, b] = [b, a % b];
    unit = a;
    if (unit === 1 && Number.isSafeInteger(low)) break;
  }
  return values.every((value) => Number.isSafeInteger(value)) ? unit : 0;
}

/** Decoded values of one column, in rows. `codes` is null when all have the value `low`. */
export interface Column {
  low: number;
  high: number;
  unit: number;
  /** Values by code; null when the value is `low + unit * code`, or the code itself for doubles. */
  dictionary: Float64Array | null;
  codes: Uint8Array | Uint16Array | Uint32Array | Float64Array | null;
}

/** @returns null when the bytes are not those of such a chunk */
export function decodeChunk({ encoding: kind, low, high, unit, data }: EncodedChunk, rows: number): Column | null {
  const none = { low, high, unit, dictionary: null, codes: null };
  if (kind === encoding.constant) return none;
  if (data === null) return null;
  const { buffer, byteOffset: at, byteLength: size } = data.byteOffset % 8 === 0 ? data : data.slice();
  if (kind === encoding.dictionary && size === unit * 8 + rows)
    return { ...none, dictionary: new Float64Array(buffer, at, unit), codes: new Uint8Array(buffer, at + unit * 8, rows) };
  if (kind === encoding.short && size === rows * 2) return { ...none, codes: new Uint16Array(buffer, at, rows) };
  if (kind === encoding.long && size === rows * 4) return { ...none, codes: new Uint32Array(buffer, at, rows) };
  if (kind === encoding.double && size === rows * 8) return { ...none, codes: new Float64Array(buffer, at, rows) };
  return null;
}

/** A column of doubles as they are, for rows that are in no segment. */
export function plainColumn(values: Float64Array): Column {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high, unit: 1, dictionary: null, codes: values };
}

/** Writes the values of the rows into `into`. */
export function readColumn({ low, unit, dictionary, codes }: Column, rows: number, into: Float64Array): void {
  if (codes === null) into.fill(low, 0, rows);
  else if (dictionary) for (let at = 0; at < rows; at++) into[at] = dictionary[codes[at] as number] as number;
  else if (codes instanceof Float64Array) into.set(codes.length === rows ? codes : codes.subarray(0, rows));
  else for (let at = 0; at < rows; at++) into[at] = low + unit * (codes[at] as number);
}
