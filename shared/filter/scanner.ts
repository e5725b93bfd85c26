/**
 * The tokens of the string form of filters (docs/reference/filters.md#text-form). Moves forward only; every step is linear in what it
 * consumes.
 */
const blanks = ' \t\r\n';
const delimiters = `${blanks}()"',`;
const symbols = '=!<>';

export class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the next token starts. */
  get at(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character, '' at the end. */
  get char(): string {
    return this.#text.charAt(this.#at);
  }

  skipBlank(): void {
    this.#at = this.#while(this.#at, (char) => blanks.includes(char));
  }

  take(symbol: string): boolean {
    const found = this.#text.startsWith(symbol, this.#at);
    if (found) this.#at += symbol.length;
    return found;
  }

  /** A keyword, in any case. */
  takeWord(word: string): boolean {
    return this.takeWords([word]);
  }

  /** Words with blanks between them; nothing is consumed unless all of them match. */
  takeWords(words: readonly string[]): boolean {
    let at = this.#at;
    for (const [index, word] of words.entries()) {
      if (index > 0) at = this.#while(at, (char) => blanks.includes(char));
      const end = this.#wordEnd(at);
      // A word of another length cannot match, so a long text is not copied for each keyword that is tried.
      if (end - at !== word.length || this.#text.slice(at, end).toLowerCase() !== word) return false;
      at = end;
    }
    this.#at = at;
    return true;
  }

  /** The next word, without consuming it. */
  peekWord(): string {
    return this.#text.slice(this.#at, this.#wordEnd(this.#at));
  }

  /** Moves back over what was taken last. */
  back(length: number): void {
    this.#at -= length;
  }

  /** A word or a field name, '' when there is none. An apostrophe within it belongs to it: `don't`. */
  word(): string {
    const start = this.#at;
    let end = start;
    for (; end < this.#text.length; end++) {
      const char = this.#text.charAt(end);
      if (char === "'" && end > start) continue;
      if (char === '!' && this.#text.charAt(end + 1) !== '=') continue;
      if (delimiters.includes(char) || symbols.includes(char)) break;
    }
    return this.#takeTo(end);
  }

  /** A value without quotes, '' when there is none. */
  bare(): string {
    return this.#takeTo(this.#while(this.#at, (char) => !delimiters.includes(char)));
  }

  /** A value in quotes, unescaped; null when the closing one is missing; then nothing is consumed. */
  quoted(): string | null {
    const quote = this.char;
    let value = '';
    let at = this.#at + 1;
    for (let from = at; at < this.#text.length; at++) {
      const char = this.#text.charAt(at);
      if (char === quote) {
        value += this.#text.slice(from, at);
        this.#at = at + 1;
        return value;
      }
      const next = char === '\\' ? this.#text.charAt(at + 1) : '';
      if (next === '\\' || next === '"' || next === "'") {
        value += this.#text.slice(from, at);
        at++;
        from = at;
      }
    }
    return null;
  }

  /** The token at a position, for error messages. */
  tokenAt(at: number): string {
    const end = this.#while(at, (char) => !delimiters.includes(char));
    return this.#text.slice(at, Math.max(end, at + 1));
  }

  #wordEnd(from: number): number {
    return this.#while(from, (char) => !delimiters.includes(char) && !symbols.includes(char));
  }

  #takeTo(end: number): string {
    const taken = this.#text.slice(this.#at, end);
    this.#at = end;
    return taken;
  }

  #while(from: number, holds: (char: string) => boolean): number {
    let at = from;
    while (at < this.#text.length && holds(this.#text.charAt(at))) at++;
    return at;
  }
}
