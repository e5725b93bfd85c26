/** What was read from the same JSON before, so that equal things of many requests are one object. Bounded: a sender can invent them. */
const entriesMax = 256;
const keyLengthMax = 16_384;

export class Remembered<T> {
  readonly #known = new Map<string, T>();

  /** @param json what it is read from */
  of(json: unknown, read: () => T): T {
    const key = JSON.stringify(json);
    if (key.length > keyLengthMax) return read();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = read();
    if (this.#known.size >= entriesMax) this.#known.clear();
    this.#known.set(key, value);
    return value;
  }
}
