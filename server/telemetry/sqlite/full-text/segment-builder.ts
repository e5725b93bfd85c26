/** Gathers the words of a run of spans, and packs them as a segment. */
import { gramsOf } from './grams.ts';
import { packPages } from './posting-pages.ts';
import { type ContentField, contentFields, encodePosting, entryOf, fieldBit, packed, traceOfEntry } from './postings.ts';
import { eachWord, isSeparator, takeBlobs, wordLengthMax } from './tokenizer.ts';

export interface PackedSegment {
  /** Numbers of the traces, then of their scopes. */
  traces: Buffer;
  /** Postings of traces with a field that is empty, of rows with a field of which not every word is here, and of those whose blobs are not. */
  exceptions: Uint8Array;
  grams: Buffer;
  words: Buffer;
  postings: Buffer;
}

/** New words of one text beyond this are no language, and a dictionary beyond that is as large as a segment should get. */
const newWordsMax = 20_000;
const dictionaryLengthMax = 2_000_000;

interface Owner {
  index: number;
  /** The text read last in each field: a history begins with the one before. */
  last: Partial<Record<ContentField, string>>;
}

export class SegmentBuilder {
  /** The row number of the first span. */
  readonly first: number;
  readonly #owners = new Map<number, Owner>();
  readonly #scopes: number[] = [];
  readonly #words = new Map<string, number[]>();
  readonly #empty: number[] = [];
  readonly #partial: number[] = [];
  readonly #apart: number[] = [];
  #length = 0;

  constructor(first: number) {
    this.first = first;
  }

  get isFull(): boolean {
    return this.#length > dictionaryLengthMax;
  }

  /** A span whose texts could not be worked out: whoever searches has to read it. */
  addUnread(span: number, { trace, scope }: { trace: number; scope: number }): void {
    this.#owner(trace, scope);
    for (const field of contentFields) this.#partial.push(entryOf(span - this.first, fieldBit(field)));
  }

  /** @param isSent whether some bytes stand in what was sent as they are */
  add(
    span: number,
    { trace, scope }: { trace: number; scope: number },
    texts: Record<ContentField, string>,
    isSent: (bytes: Buffer) => boolean,
  ): void {
    const owner = this.#owner(trace, scope);
    for (const field of contentFields) {
      const bit = fieldBit(field);
      const entry = entryOf(owner.index, bit);
      const text = texts[field];
      if (text === '') this.#empty.push(entry);
      else if (!this.#read(text, sharedLength(owner.last[field], text), entry))
        this.#readRest(text, entry, entryOf(span - this.first, bit), isSent);
      owner.last[field] = text;
    }
  }

  pack(): PackedSegment {
    const traces = Int32Array.from([...this.#owners.keys(), ...this.#scopes]);
    return {
      traces: packed(new Uint8Array(traces.buffer)),
      exceptions: Uint8Array.from([this.#empty, this.#partial, this.#apart].flatMap(encodePosting)),
      grams: packed(gramsOf(this.#words.keys())),
      words: packed(Buffer.from(`\n${[...this.#words.keys()].join('\n')}\n`)),
      postings: packPages([...this.#words.values()]),
    };
  }

  /** False when some words were left out. */
  #read(text: string, from: number, entry: number): boolean {
    const before = this.#words.size;
    return eachWord(text, from, (start, end) => {
      if (end - start > wordLengthMax || this.#words.size - before > newWordsMax) return false;
      const word = text.slice(start, end);
      const known = this.#words.get(word);
      if (known === undefined) {
        this.#words.set(word, [entry]);
        this.#length += word.length + 1;
      } else note(known, entry);
      return true;
    });
  }

  /**
   * The words of a text with blobs, without them. What a search may find in a blob it finds in the bytes that were sent, too, which
   * are looked through much sooner than the content is put together; unless the blob was made only then.
   */
  #readRest(text: string, entry: number, row: number, isSent: (bytes: Buffer) => boolean): void {
    const taken = takeBlobs(text);
    const isKnown = taken !== null && this.#read(taken.rest, 0, entry) && taken.blobs.every((blob) => isSent(Buffer.from(blob)));
    (isKnown ? this.#apart : this.#partial).push(row);
  }

  #owner(trace: number, scope: number): Owner {
    const known = this.#owners.get(trace);
    if (known) return known;
    const owner: Owner = { index: this.#owners.size, last: {} };
    this.#owners.set(trace, owner);
    this.#scopes.push(scope);
    return owner;
  }
}

function note(entries: number[], entry: number): void {
  const last = entries[entries.length - 1] as number;
  if (traceOfEntry(last) === traceOfEntry(entry)) entries[entries.length - 1] = last | entry;
  else entries.push(entry);
}

/** How much of a text the one before began with, whose words are known: all but its end, which differs for JSON lists that grow. */
function sharedLength(before: string | undefined, text: string): number {
  if (before === undefined || before.length > text.length + 2) return 0;
  for (const cut of [0, 1, 2]) {
    const length = before.length - cut;
    if (length > 0 && isSeparator(before.charCodeAt(length - 1)) && text.startsWith(before.slice(0, length))) return length;
  }
  return 0;
}
