/** Tests the values of a column: which rows hold one of them. The loops know nothing of filters. */
import { fillRows, type IdSet } from './bitmap.ts';
import type { Column } from './chunk-codec.ts';

/** Values from `from` to `to`, both included. */
export interface Interval {
  from: number;
  to: number;
}

export type ValueTest = { intervals: readonly Interval[] } | { ids: IdSet };

/** Whether a row of a column with values in this range may hold one of them. */
export function mayMatch({ low, high }: Pick<Column, 'low' | 'high'>, test: ValueTest): boolean {
  if ('intervals' in test) return test.intervals.some(({ from, to }) => from <= high && to >= low);
  return test.ids.size > 0;
}

/** Sets the bits of the rows that match, and clears the others. */
export function matchColumn(column: Column, test: ValueTest, rows: number, out: Uint32Array): void {
  const { codes, dictionary, low, unit } = column;
  const holds = (value: number) =>
    'ids' in test ? test.ids.has(value) : test.intervals.some(({ from, to }) => value >= from && value <= to);
  if (!mayMatch(column, test)) out.fill(0);
  else if (codes === null) {
    if (holds(low)) fillRows(out, rows);
    else out.fill(0);
  } else if (dictionary) matchDictionary(codes as Uint8Array, dictionary, holds, rows, out);
  else {
    out.fill(0);
    const isPlain = codes instanceof Float64Array;
    const base = isPlain ? 0 : low;
    if ('ids' in test) matchIds(codes, base, unit, test.ids.words, rows, out);
    else
      for (const { from, to } of test.intervals) {
        // Coded values are whole, and so the quotients are exact where it matters.
        const [first, last] = isPlain ? [from, to] : [(Math.ceil(from) - base) / unit, (Math.floor(to) - base) / unit];
        matchInterval(codes, first, last, rows, out);
      }
  }
}

function matchDictionary(
  codes: Uint8Array,
  dictionary: Float64Array,
  holds: (value: number) => boolean,
  rows: number,
  out: Uint32Array,
): void {
  const table = new Uint8Array(256);
  let hits = 0;
  for (let code = 0; code < dictionary.length; code++) {
    if (!holds(dictionary[code] as number)) continue;
    table[code] = 1;
    hits++;
  }
  if (hits === 0) out.fill(0);
  else if (hits === dictionary.length) fillRows(out, rows);
  else {
    for (let word = 0; word < out.length; word++) {
      const start = word << 5;
      const end = Math.min(start + 32, rows);
      let bits = 0;
      for (let at = start; at < end; at++) bits |= (table[codes[at] as number] as number) << (at & 31);
      out[word] = bits;
    }
  }
}

/** Adds rows whose code is within the bounds, which need not be whole. */
function matchInterval(
  codes: Uint8Array | Uint16Array | Uint32Array | Float64Array,
  from: number,
  to: number,
  rows: number,
  out: Uint32Array,
): void {
  for (let word = 0; word < out.length; word++) {
    const start = word << 5;
    const end = Math.min(start + 32, rows);
    let bits = 0;
    for (let at = start; at < end; at++) {
      const code = codes[at] as number;
      if (code >= from && code <= to) bits |= 1 << (at & 31);
    }
    out[word] = (out[word] as number) | bits;
  }
}

function matchIds(
  codes: Uint8Array | Uint16Array | Uint32Array | Float64Array,
  base: number,
  unit: number,
  ids: Uint32Array,
  rows: number,
  out: Uint32Array,
): void {
  const wordMax = ids.length;
  for (let word = 0; word < out.length; word++) {
    const start = word << 5;
    const end = Math.min(start + 32, rows);
    let bits = 0;
    for (let at = start; at < end; at++) {
      const id = base + unit * (codes[at] as number);
      const place = (id / 32) | 0;
      if (place < wordMax) bits |= (((ids[place] as number) >>> (id & 31)) & 1) << (at & 31);
    }
    out[word] = bits;
  }
}
