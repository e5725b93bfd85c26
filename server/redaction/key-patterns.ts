/** Which of a list of keys and patterns (`*` stands for anything) a key is like. */

/** Keys that were asked for: few in an honest application, and bounded for the others. */
const rememberedMax = 4096;

export class KeyPatterns {
  readonly #exact: ReadonlySet<string>;
  readonly #patterns: readonly string[][];
  readonly #known = new Map<string, boolean>();

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns.filter((pattern) => !pattern.includes('*')));
    this.#patterns = patterns.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  }

  has(key: string): boolean {
    if (this.#exact.has(key)) return true;
    if (this.#patterns.length === 0) return false;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const has = this.#patterns.some((parts) => isLike(key, parts));
    if (this.#known.size >= rememberedMax) this.#known.clear();
    this.#known.set(key, has);
    return has;
  }
}

/** Each part at the first place where it can be: what is found so leaves the most for the parts behind it. */
function isLike(key: string, parts: readonly string[]): boolean {
  const [head = '', ...rest] = parts;
  const tail = rest.pop() ?? '';
  if (!key.startsWith(head) || !key.endsWith(tail) || key.length < head.length + tail.length) return false;
  let at = head.length;
  for (const part of rest) {
    const found = key.indexOf(part, at);
    if (found === -1 || found + part.length > key.length - tail.length) return false;
    at = found + part.length;
  }
  return true;
}
