/** A long text as rows: split at line ends, and within lines that are too long for a row. Lives in a worker. */
import type { JsonRow } from './json-tree.ts';

const lineMax = 160;

export class TextLines {
  readonly text: string;
  /** Start of each row. */
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.text = text;
    for (let from = 0; from <= text.length; ) {
      const end = text.indexOf('\n', from);
      const to = end === -1 ? text.length : end;
      for (let at = from; ; at += this.#step(at, to)) {
        this.#starts.push(at);
        if (at + lineMax >= to) break;
      }
      from = to + 1;
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  rows(from: number, to: number): JsonRow[] {
    const first = Math.max(0, from);
    return this.#starts.slice(first, to).map((start, i) => {
      const next = this.#starts[first + i + 1] ?? this.text.length;
      const text = this.text.slice(start, next).replace(/\r?\n$/, '');
      return { at: first + i, depth: 0, name: '', kind: 'line', text, size: text.length, isOpen: false };
    });
  }

  /** The row at a position of the text. */
  rowAt(position: number): number {
    let low = 0;
    for (let high = this.#starts.length; high - low > 1; ) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low;
  }

  /** Never splits a surrogate pair. */
  #step(at: number, to: number): number {
    const end = Math.min(at + lineMax, to);
    return /[\udc00-\udfff]/.test(this.text.charAt(end)) ? end - at + 1 : end - at;
  }
}
