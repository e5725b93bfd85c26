/** Segment opened for search: finds the traces with a word in a field. */
import { release } from '../../../platform/release.ts';
import { mayHold } from './grams.ts';
import { PostingPages } from './posting-pages.ts';
import { type ContentField, fieldBit, Postings, unpacked } from './postings.ts';
import type { Run } from './tokenizer.ts';

const newline = 0x0a;
/** Among the exceptions. */
const emptyTraces = 0;
const partialRows = 1;
const apartRows = 2;

/** Stored segment; `read` fetches the columns that most searches do not need. */
export interface StoredSegment {
  traces: Buffer;
  exceptions: Uint8Array;
  grams: Buffer;
  read: (part: 'words' | 'postings') => Buffer;
}

export class SegmentTokens {
  /** Row numbers of the traces; all other arrays use the same positions. */
  readonly traces: Int32Array;
  readonly scopes: Int32Array;
  readonly #exceptions: Postings;
  readonly #grams: Uint8Array;
  readonly #read: StoredSegment['read'];
  #words: Buffer | null = null;
  #postings: PostingPages | null = null;

  constructor({ traces, exceptions, grams, read }: StoredSegment) {
    const traceNumbers = unpacked(traces);
    const count = traceNumbers.length / 8;
    const numbers = new Int32Array(count * 2);
    traceNumbers.copy(new Uint8Array(numbers.buffer));
    release(traceNumbers);
    this.traces = numbers.subarray(0, count);
    this.scopes = numbers.subarray(count);
    this.#exceptions = new Postings(exceptions);
    this.#grams = unpacked(grams);
    this.#read = read;
  }

  /** For each trace, 0 when the field is not empty in every span here. */
  empty(field: ContentField): Uint8Array {
    return this.#marks(this.#exceptions, [emptyTraces], field);
  }

  /** Rows, counted from the first of the segment, that have words in the field which are not here. */
  partial(field: ContentField): number[] {
    return this.#exceptions.members(partialRows, fieldBit(field));
  }

  /** Rows with blobs in the field: their words are indexed, the blobs are not. */
  apart(field: ContentField): number[] {
    return this.#exceptions.members(apartRows, fieldBit(field));
  }

  /** For each trace, whether every run occurs as a word, or as a part of one, in the field of one of its spans here. Null for none. */
  holding(runs: readonly Run[], field: ContentField): Uint8Array | null {
    if (!runs.every((run) => mayHold(this.#grams, run))) return null;
    let all: Uint8Array | null = null;
    for (const run of runs) {
      const found = this.#indexesOf(run);
      if (found.length === 0) return null;
      this.#postings ??= new PostingPages(this.#read('postings'));
      const marks = this.#marks(this.#postings, found, field);
      const before: Uint8Array | null = all;
      all = before ? marks.map((mark, at) => mark & (before[at] as number)) : marks;
    }
    return all;
  }

  /** Releases its memory at once, because a search opens hundreds of segments before a garbage collection. It cannot be used afterwards. */
  close(): void {
    for (const bytes of [this.#grams, this.#words]) if (bytes) release(bytes);
    this.#postings?.close();
  }

  #indexesOf({ text, opensLeft, opensRight }: Run): number[] {
    this.#words ??= unpacked(this.#read('words'));
    const words = this.#words;
    const sought = Buffer.from(`${opensLeft ? '' : '\n'}${text}${opensRight ? '' : '\n'}`);
    const skip = opensLeft ? 0 : 1;
    const found: number[] = [];
    let index = 0;
    // The line break before the word that `index` is about.
    let line = 0;
    for (let hit = words.indexOf(sought); hit !== -1; hit = words.indexOf(sought, line)) {
      let end = words.indexOf(newline, line + 1);
      for (; end < hit + skip; end = words.indexOf(newline, end + 1)) index++;
      found.push(index++);
      line = end;
    }
    return found;
  }

  #marks(postings: Pick<Postings, 'add'>, indexes: readonly number[], field: ContentField): Uint8Array {
    const masks = new Uint8Array(this.traces.length);
    for (const index of indexes) postings.add(index, masks);
    const bit = fieldBit(field);
    return masks.map((mask) => mask & bit);
  }
}
