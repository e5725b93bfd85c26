/** Longest line of JSON that is kept whole: an agent's hold whole files. */
const jsonBytesMax = 1024 * 1024;
/** Of any other line. More than is ever shown of one. */
const textBytesMax = 64 * 1024;

const newline = 0x0a;
const openingBrace = 0x7b;

/**
 * Makes lines of bytes that come in pieces. Holds one line at most, and that bounded: what a line has beyond its bound is dropped. No string
 * is made here, so that lines nobody wants cost next to nothing.
 */
export class LineSplitter {
  /** The line that has begun. Used again for the next one. */
  #begun = Buffer.alloc(4096);
  #size = 0;

  /** Each line without its end. It is valid until the next is asked for. */
  *lines(chunk: Buffer): Generator<Buffer> {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      yield this.#whole(chunk.subarray(from, end));
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** As `lines`, but only those that begin with a brace, and the last one of the chunk that is not empty. */
  *notableLines(chunk: Buffer): Generator<Buffer> {
    const last = chunk.lastIndexOf(newline);
    const first = chunk.indexOf(newline);
    if (last === -1) return this.#keep(chunk);
    yield this.#whole(chunk.subarray(0, first));
    const rest = chunk.subarray(first + 1, last + 1);
    for (let from = rest[0] === openingBrace ? 0 : nextBrace(rest, 0); from !== -1; ) {
      const end = rest.indexOf(newline, from);
      yield rest.subarray(from, end);
      from = nextBrace(rest, end);
    }
    const lastLine = lastOf(rest);
    if (lastLine.length > 0 && lastLine[0] !== openingBrace) yield lastLine;
    this.#keep(chunk.subarray(last + 1));
  }

  /** There comes no more: the line that has no end, if there is one. */
  *rest(): Generator<Buffer> {
    if (this.#size > 0) yield this.#whole(Buffer.alloc(0));
  }

  #whole(end: Buffer): Buffer {
    if (this.#size === 0) return end.subarray(0, boundOf(end));
    this.#keep(end);
    const line = this.#begun.subarray(0, this.#size);
    this.#size = 0;
    return line;
  }

  #keep(piece: Buffer): void {
    const bound = boundOf(this.#size > 0 ? this.#begun : piece);
    const kept = piece.subarray(0, Math.max(0, bound - this.#size));
    if (this.#size + kept.length > this.#begun.length) {
      const larger = Buffer.alloc(Math.min(jsonBytesMax, 2 * (this.#size + kept.length)));
      this.#begun.copy(larger, 0, 0, this.#size);
      this.#begun = larger;
    }
    kept.copy(this.#begun, this.#size);
    this.#size += kept.length;
  }
}

const boundOf = (line: Buffer): number => (line[0] === openingBrace ? jsonBytesMax : textBytesMax);

/** Where the next line begins with a brace; -1 where none does. @param from at a newline or before the first */
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
