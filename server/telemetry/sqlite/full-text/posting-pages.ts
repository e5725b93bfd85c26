/** Postings of a segment in separately compressed pages, so that a lookup inflates only one page. */
import { release } from '../../../platform/release.ts';
import { encodePosting, Postings, packed, unpacked } from './postings.ts';

const pageWords = 1024;

/** Packs postings into pages, after a header with the number of pages and the size of each. */
export function packPages(entries: number[][]): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < entries.length; at += pageWords) {
    pages.push(packed(Uint8Array.from(entries.slice(at, at + pageWords).flatMap(encodePosting))));
  }
  const head = Int32Array.of(pages.length, ...pages.map(({ length }) => length));
  return Buffer.concat([new Uint8Array(head.buffer), ...pages]);
}

export class PostingPages {
  readonly #bytes: Buffer;
  readonly #pages = new Map<number, Postings>();
  readonly #inflated: Buffer[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Merges the masks of a word's posting into those of the traces. */
  add(word: number, masks: Uint8Array): void {
    const number = Math.floor(word / pageWords);
    let page = this.#pages.get(number);
    if (!page) {
      page = this.#read(number);
      this.#pages.set(number, page);
    }
    page.add(word % pageWords, masks);
  }

  #read(number: number): Postings {
    const size = (page: number) => this.#bytes.readInt32LE(4 + page * 4);
    let at = 4 + this.#bytes.readInt32LE(0) * 4;
    for (let page = 0; page < number; page++) at += size(page);
    const bytes = unpacked(this.#bytes.subarray(at, at + size(number)));
    this.#inflated.push(bytes);
    return new Postings(bytes);
  }

  /** Releases its memory; it cannot be used afterwards. */
  close(): void {
    for (const bytes of [this.#bytes, ...this.#inflated]) release(bytes);
  }
}
