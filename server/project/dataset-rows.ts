/** Rows of a dataset file as bytes: no row becomes an object, so that a file of millions of rows costs only its size. */
import { isUtf8 } from 'node:buffer';

/** `array`: one JSON array. `lines`: one row on each line, ignoring blank lines. */
export type RowForm = 'array' | 'lines';

export type RowsRead =
  | { bytes: Uint8Array<ArrayBuffer> }
  /** @param line counted from 1, as editors do */
  | { line: number; why: string };

const [lineFeed, carriageReturn, comma, open, close] = [0x0a, 0x0d, 0x2c, 0x5b, 0x5d];
const byteOrderMark = Buffer.from('\ufeff');

export function rowsOf(bytes: Uint8Array, form: RowForm): RowsRead {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const rows = new RowBytes(file.length, form);
  let line = 0;
  for (let from = file.subarray(0, 3).equals(byteOrderMark) ? 3 : 0; from < file.length; ) {
    const end = endOfLine(file, from);
    const row = file.subarray(from, end);
    line++;
    const why = problemOf(row);
    if (why === null) rows.add(row);
    else if (why !== 'blank') return { line, why };
    from = end + (file[end] === carriageReturn && file[end + 1] === lineFeed ? 2 : 1);
  }
  return { bytes: rows.finish() };
}

/** Lines end with a line feed, a carriage return, or both. */
function endOfLine(file: Buffer, from: number): number {
  const feed = file.indexOf(lineFeed, from);
  const end = feed === -1 ? file.length : feed;
  const earlier = file.subarray(from, end).indexOf(carriageReturn);
  return earlier === -1 ? end : from + earlier;
}

function problemOf(row: Buffer): 'blank' | string | null {
  if (!isUtf8(row)) return 'is not UTF-8 text';
  const text = row.toString();
  try {
    JSON.parse(text);
    return null;
  } catch {
    return text.trim() === '' ? 'blank' : 'is not JSON: a dataset has one JSON object in each line';
  }
}

class RowBytes {
  readonly #form: RowForm;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  #size = 0;

  /** @param size of the file: each row but the last takes the byte after it */
  constructor(size: number, form: RowForm) {
    this.#form = form;
    this.#bytes = new Uint8Array(size + 3);
    if (form === 'array') this.#bytes[this.#size++] = open;
  }

  add(row: Uint8Array): void {
    if (this.#form === 'array' && this.#size > 1) this.#bytes[this.#size++] = comma;
    this.#bytes.set(row, this.#size);
    this.#size += row.length;
    if (this.#form === 'lines') this.#bytes[this.#size++] = lineFeed;
  }

  finish(): Uint8Array<ArrayBuffer> {
    if (this.#form === 'array') this.#bytes[this.#size++] = close;
    return this.#bytes.subarray(0, this.#size);
  }
}
