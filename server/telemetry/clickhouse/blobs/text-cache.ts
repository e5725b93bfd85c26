/** The texts that were read last, up to a total length. */
export class TextCache {
  readonly #lengthMax: number;
  /** Least recently used first. */
  readonly #texts = new Map<string, string>();
  #length = 0;

  /** @param lengthMax in UTF-16 units */
  constructor(lengthMax: number) {
    this.#lengthMax = lengthMax;
  }

  get(key: string): string | null {
    const text = this.#texts.get(key);
    if (text === undefined) return null;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  put(key: string, text: string): void {
    if (text.length > this.#lengthMax / 2 || this.#texts.has(key)) return;
    this.#texts.set(key, text);
    this.#length += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#length <= this.#lengthMax) return;
      this.#texts.delete(oldest);
      this.#length -= length;
    }
  }
}
