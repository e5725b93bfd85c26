import { deflateZstd, inflateZstd } from '../../../platform/zstd.ts';

/**
 * Posting of a word: the traces of a segment that contain it, each with a mask of `fieldBit`s. On disk the distance to the previous trace and
 * the mask are one number, mostly of one byte.
 */
export const contentFields = ['input', 'output', 'props'] as const;
export type ContentField = (typeof contentFields)[number];

export const fieldBit = (field: ContentField): number => 1 << contentFields.indexOf(field);

const maskBits = contentFields.length;
const maskAll = (1 << maskBits) - 1;

/** An entry is the index of a trace, shifted left, with the mask in the low bits. */
export const entryOf = (trace: number, mask: number): number => (trace << maskBits) | mask;
export const traceOfEntry = (entry: number): number => entry >> maskBits;

/** @param entries in any order, several for one trace allowed */
export function encodePosting(entries: number[]): number[] {
  const bytes: number[] = [];
  entries.sort((a, b) => a - b);
  let before = -1;
  for (let at = 0; at < entries.length; ) {
    const trace = traceOfEntry(entries[at] as number);
    let mask = 0;
    for (; at < entries.length && traceOfEntry(entries[at] as number) === trace; at++) mask |= (entries[at] as number) & maskAll;
    writeNumber(bytes, entryOf(trace - before - 1, mask));
    before = trace;
  }
  const size: number[] = [];
  writeNumber(size, bytes.length);
  return [...size, ...bytes];
}

function writeNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
}

export class Postings {
  readonly #bytes: Uint8Array;
  /** Start and end of each posting. */
  readonly #bounds: number[] = [];
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    while (this.#at < bytes.length) {
      const size = this.#number();
      this.#bounds.push(this.#at, this.#at + size);
      this.#at += size;
    }
  }

  /** Merges the masks of a posting into those of the traces. */
  add(index: number, masks: Uint8Array): void {
    this.#each(index, (trace, mask) => {
      masks[trace] = (masks[trace] as number) | mask;
    });
  }

  /** Members of a posting whose mask has the bit. */
  members(index: number, bit: number): number[] {
    const found: number[] = [];
    this.#each(index, (member, mask) => {
      if (mask & bit) found.push(member);
    });
    return found;
  }

  #each(index: number, visit: (member: number, mask: number) => void): void {
    this.#at = this.#bounds[index * 2] as number;
    const end = this.#bounds[index * 2 + 1] as number;
    let member = -1;
    while (this.#at < end) {
      const entry = this.#number();
      member += traceOfEntry(entry) + 1;
      visit(member, entry & maskAll);
    }
  }

  #number(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++] as number;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  }
}

export const packed = (bytes: Uint8Array): Buffer => deflateZstd(bytes, 3);

/** Words usually inflate to at most four times the size; longer results are joined from pieces. */
export const unpacked = (bytes: Uint8Array): Buffer => inflateZstd(bytes, bytes.length * 4);
