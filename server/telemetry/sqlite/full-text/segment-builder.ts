/** Collects the words of consecutive spans and packs them as a segment. */
import { gramsOf } from './grams.ts';
import { packPages } from './posting-pages.ts';
import { type ContentField, contentFields, encodePosting, entryOf, fieldBit, packed, traceOfEntry } from './postings.ts';
import { eachWord, isSeparator, takeBlobs, wordLengthMax } from './tokenizer.ts';

export interface PackedSegment {
  /** Row ids of the traces, then of their scopes. */
  traces: Buffer;
  /** Postings of traces with an empty field, of rows with unindexed words in a field, and of rows with unindexed blobs. */
  exceptions: Uint8Array;
  grams: Buffer;
  words: Buffer;
  postings: Buffer;
}

/** A text with more new words than this is not natural language. */
const newWordsMax = 20_000;
/** A segment whose dictionary is longer than this is full. */
const dictionaryLengthMax = 2_000_000;

interface TraceEntry {
  index: number;
  /** Previous text of each field: a growing history starts with it. */
  last: Partial<Record<ContentField, string>>;
}

export class SegmentBuilder {
  /** Row id of the first span. */
  readonly first: number;
  readonly #traces = new Map<number, TraceEntry>();
  readonly #scopes: number[] = [];
  readonly #words = new Map<string, number[]>();
  readonly #empty: number[] = [];
  readonly #partial: number[] = [];
  readonly #withBlobs: number[] = [];
  #length = 0;

  constructor(first: number) {
    this.first = first;
  }

  get isFull(): boolean {
    return this.#length > dictionaryLengthMax;
  }

  /** Adds a span whose texts could not be derived: every search has to read it. */
  addUnread(span: number, { trace, scope }: { trace: number; scope: number }): void {
    this.#trace(trace, scope);
    for (const field of contentFields) this.#partial.push(entryOf(span - this.first, fieldBit(field)));
  }

  /** @param isSent whether the raw span contains the bytes unchanged */
  add(
    span: number,
    { trace, scope }: { trace: number; scope: number },
    texts: Record<ContentField, string>,
    isSent: (bytes: Buffer) => boolean,
  ): void {
    const entryOfTrace = this.#trace(trace, scope);
    for (const field of contentFields) {
      const bit = fieldBit(field);
      const entry = entryOf(entryOfTrace.index, bit);
      const text = texts[field];
      if (text === '') this.#empty.push(entry);
      else if (!this.#read(text, sharedLength(entryOfTrace.last[field], text), entry))
        this.#readWithoutBlobs(text, entry, entryOf(span - this.first, bit), isSent);
      entryOfTrace.last[field] = text;
    }
  }

  pack(): PackedSegment {
    const traces = Int32Array.from([...this.#traces.keys(), ...this.#scopes]);
    return {
      traces: packed(new Uint8Array(traces.buffer)),
      exceptions: Uint8Array.from([this.#empty, this.#partial, this.#withBlobs].flatMap(encodePosting)),
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
      const entries = this.#words.get(word);
      if (entries === undefined) {
        this.#words.set(word, [entry]);
        this.#length += word.length + 1;
      } else addEntry(entries, entry);
      return true;
    });
  }

  /**
   * Indexes the words of a text without its blobs. A search looks for blobs in the raw span, which is faster to read than the derived content.
   * That is impossible if normalisation created the blob.
   */
  #readWithoutBlobs(text: string, entry: number, row: number, isSent: (bytes: Buffer) => boolean): void {
    const split = takeBlobs(text);
    const isComplete = split !== null && this.#read(split.rest, 0, entry) && split.blobs.every((blob) => isSent(Buffer.from(blob)));
    (isComplete ? this.#withBlobs : this.#partial).push(row);
  }

  #trace(trace: number, scope: number): TraceEntry {
    const existing = this.#traces.get(trace);
    if (existing) return existing;
    const entryOfTrace: TraceEntry = { index: this.#traces.size, last: {} };
    this.#traces.set(trace, entryOfTrace);
    this.#scopes.push(scope);
    return entryOfTrace;
  }
}

function addEntry(entries: number[], entry: number): void {
  const last = entries[entries.length - 1] as number;
  if (traceOfEntry(last) === traceOfEntry(entry)) entries[entries.length - 1] = last | entry;
  else entries.push(entry);
}

/**
 * Length of the common prefix with the previous text, whose words are already indexed. Up to two characters at its end may differ, as in growing
 * JSON lists.
 */
function sharedLength(before: string | undefined, text: string): number {
  if (before === undefined || before.length > text.length + 2) return 0;
  for (const cut of [0, 1, 2]) {
    const length = before.length - cut;
    if (length > 0 && isSeparator(before.charCodeAt(length - 1)) && text.startsWith(before.slice(0, length))) return length;
  }
  return 0;
}
