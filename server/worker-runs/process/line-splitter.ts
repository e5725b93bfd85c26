import { stripVTControlCharacters } from 'node:util';

/** Longer ones are cut. An agent's JSON lines hold whole files. */
const lineCharsMax = 1024 * 1024;

/** Makes lines of text that comes in pieces. Holds one line at most, and that bounded. Colours and other signs to a terminal are left out. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #begun = '';

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  take(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.#keep(first);
    for (const next of rest) {
      this.#tell();
      this.#keep(next);
    }
  }

  /** There comes no more. */
  end(): void {
    if (this.#begun !== '') this.#tell();
  }

  #keep(piece: string): void {
    this.#begun += piece.slice(0, lineCharsMax - this.#begun.length);
  }

  #tell(): void {
    const line = stripVTControlCharacters(this.#begun.replace(/\r$/, '')).replaceAll('\0', '').toWellFormed();
    this.#begun = '';
    this.#onLine(line);
  }
}
