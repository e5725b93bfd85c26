/** Segment opened for search: finds the traces with a word in a field. */
import { release } from '../../../platform/release.ts';
import { mayContain } from './grams.ts';
import { PostingPages } from './posting-pages.ts';
import { type ContentField, fieldBit, Postings, unpacked } from './postings.ts';
import type { Run } from './tokenizer.ts';

const newline = 0x0a;
/** Positions of the lists in `exceptions`. */
const emptyTraces = 0;
const partialRows = 1;
const blobRows = 2;

/** Stored segment; `read` fetches the columns that most searches do not need. */
export interface StoredSegment {
  traces: Buffer;
  exceptions: Uint8Array;
  grams: Buffer;
  read: (part: 'words' | 'postings') => Buffer;
}

export class SegmentTokens {
  /** Row ids of the traces; all other arrays use the same positions. */
  readonly traces: Int32Array;
  readonly scopes: Int32Array;
  readonly #exceptions: Postings;
  readonly #grams: Uint8Array;
  readonly #read: StoredSegment['read'];
  #words: Buffer | null = null;
  #postings: PostingPages | null = null;

  constructor({ traces, exceptions, grams, read }: StoredSegment) {
    const bytes = unpacked(traces);
    const count = bytes.length / 8;
    const ids = new Int32Array(count * 2);
    bytes.copy(new Uint8Array(ids.buffer));
    release(bytes);
    this.traces = ids.subarray(0, count);
    this.scopes = ids.subarray(count);
    this.#exceptions = new Postings(exceptions);
    this.#grams = unpacked(grams);
    this.#read = read;
  }

  /** For each trace, not 0 if the field is empty in a span of the segment. */
  empty(field: ContentField): Uint8Array {
    return this.#marks(this.#exceptions, [emptyTraces], field);
  }

  /** Rows, counted from the start of the segment, that have unindexed words in the field. */
  partialSpans(field: ContentField): number[] {
    return this.#exceptions.members(partialRows, fieldBit(field));
  }

  /** Rows with blobs in the field. Their words are indexed, the blobs are not. */
  spansWithBlobs(field: ContentField): number[] {
    return this.#exceptions.members(blobRows, fieldBit(field));
  }

  /** For each trace, whether every run occurs as a word or part of a word in the field of its spans in this segment. Null for no trace. */
  tracesWith(runs: readonly Run[], field: ContentField): Uint8Array | null {
    if (!runs.every((run) => mayContain(this.#grams, run))) return null;
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

  /** Releases memory at once, because a search opens hundreds of segments between garbage collections. The object cannot be used afterwards. */
  close(): void {
    for (const bytes of [this.#grams, this.#words]) if (bytes) release(bytes);
    this.#postings?.close();
  }

  #indexesOf({ text, opensLeft, opensRight }: Run): number[] {
    this.#words ??= unpacked(this.#read('words'));
    const words = this.#words;
    const pattern = Buffer.from(`${opensLeft ? '' : '\n'}${text}${opensRight ? '' : '\n'}`);
    const skip = opensLeft ? 0 : 1;
    const found: number[] = [];
    let index = 0;
    // The line break before the word at `index`.
    let line = 0;
    for (let hit = words.indexOf(pattern); hit !== -1; hit = words.indexOf(pattern, line)) {
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
