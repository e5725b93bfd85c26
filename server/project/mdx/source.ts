/** A piece of a template that knows, for each of its characters, where in the file it stands: blocks are cut out of blocks. */
import { TemplateSyntaxError } from './template-syntax-error.ts';

export interface Place {
  line: number;
  column: number;
}

export interface Line {
  text: string;
  place: Place;
}

export class Source {
  readonly lines: readonly Line[];
  readonly text: string;
  readonly #starts: number[] = [];

  constructor(lines: readonly Line[]) {
    this.lines = lines;
    let at = 0;
    for (const { text } of lines) {
      this.#starts.push(at);
      at += text.length + 1;
    }
    this.text = lines.map(({ text }) => text).join('\n');
  }

  static of(text: string, firstLine = 1): Source {
    return new Source(text.split(/\r\n|\n|\r/).map((line, index) => ({ text: line, place: { line: firstLine + index, column: 1 } })));
  }

  /** Where a line begins in `text`. */
  startOf(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  placeOf(offset: number): Place {
    const index = this.lineAt(offset);
    const place = this.lines[index]?.place ?? { line: 1, column: 1 };
    return { line: place.line, column: place.column + offset - this.startOf(index) };
  }

  fail(message: string, offset: number): never {
    throw new TemplateSyntaxError(message, this.placeOf(offset));
  }

  /** The part between two offsets; its first line may begin inside one of ours. */
  slice(from: number, to: number): Source {
    const first = this.lineAt(from);
    const texts = this.text.slice(from, to).split('\n');
    return new Source(
      texts.map((text, index) => ({
        text,
        place: index === 0 ? this.placeOf(from) : (this.lines[first + index]?.place ?? this.placeOf(to)),
      })),
    );
  }
}
