/** Longest JSON line that is part whole: agents print lines that contain whole files. */
const jsonBytesMax = 1024 * 1024;
/** For other lines: more than is ever shown of one. */
const textBytesMax = 64 * 1024;

const newline = 0x0a;
const openingBrace = 0x7b;

/**
 * Splits chunks into lines. Holds at most one line, and only up to its limit; the rest of a longer line is dropped. Makes no strings, so that
 * unwanted lines cost next to nothing.
 */
export class LineSplitter {
  /** Buffer of the current line, reused for the next one. */
  #line = Buffer.alloc(4096);
  #size = 0;

  /** Each line without its newline. Valid until the next one is requested. */
  *lines(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      yield this.#finish(chunk.subarray(from, end));
      from = end + 1;
    }
    this.#append(chunk.subarray(from));
  }

  /** Like `lines`, but only lines that begin with a brace, and the last nonempty one of the chunk. */
  *notableLines(chunk: Buffer): Generator<Buffer> {
    const last = chunk.lastIndexOf(newline);
    const first = chunk.indexOf(newline);
    if (last === -1) return this.#append(chunk);
    yield this.#finish(chunk.subarray(0, first));
    const rest = chunk.subarray(first + 1, last + 1);
    for (let from = rest[0] === openingBrace ? 0 : nextBrace(rest, 0); from !== -1; ) {
      const end = rest.indexOf(newline, from);
      yield rest.subarray(from, end);
      from = nextBrace(rest, end);
    }
    const lastLine = lastOf(rest);
    if (lastLine.length > 0 && lastLine[0] !== openingBrace) yield lastLine;
    this.#append(chunk.subarray(last + 1));
  }

  /** At the end of input: the line without a newline, if any. */
  *rest(): Generator<Buffer> {
    if (this.#size > 0) yield this.#finish(Buffer.alloc(0));
  }

  #finish(end: Buffer): Buffer {
    if (this.#size === 0) return end.subarray(0, boundOf(end));
    this.#append(end);
    const line = this.#line.subarray(0, this.#size);
    this.#size = 0;
    return line;
  }

  #append(piece: Buffer): void {
    const bound = boundOf(this.#size > 0 ? this.#line : piece);
    const part = piece.subarray(0, Math.max(0, bound - this.#size));
    if (this.#size + part.length > this.#line.length) {
      const larger = Buffer.alloc(Math.min(jsonBytesMax, 2 * (this.#size + part.length)));
      this.#line.copy(larger, 0, 0, this.#size);
      this.#line = larger;
    }
    part.copy(this.#line, this.#size);
    this.#size += part.length;
  }
}

const boundOf = (line: Buffer): number => (line[0] === openingBrace ? jsonBytesMax : textBytesMax);

/** Position of the next line that begins with a brace; -1 for none. @param from at a newline or before the first */
function nextBrace(lines: Buffer, from: number): number {
  const found = lines.indexOf('\n{', from, 'latin1');
  return found === -1 ? -1 : found + 1;
}

/** The last line with something in it. @param lines each with its end */
function lastOf(lines: Buffer): Buffer {
  let end = lines.length;
  while (end > 0 && (lines[end - 1] ?? 0) <= 0x20) end--;
  const from = end === 0 ? 0 : lines.lastIndexOf(newline, end - 1) + 1;
  return lines.subarray(from, Math.min(end, from + textBytesMax));
}
