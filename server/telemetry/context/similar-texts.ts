/** How alike two texts are. */

/** UTF-16 units that both texts begin with; never half a character. */
export function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at > 0 && isHighSurrogate(a.charCodeAt(at - 1)) ? at - 1 : at;
}

/** UTF-16 units that both texts end with, after `start`; never half a character. */
export function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++;
  return length > 0 && isLowSurrogate(a.charCodeAt(a.length - length)) ? length - 1 : length;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/** Whether `part` is the beginning or the end of a longer text, with a few words of its own. */
export function isCutFrom(whole: string, part: string): boolean {
  if (part.length >= whole.length || part.length < 20) return false;
  const start = commonStart(whole, part);
  return start + commonEnd(whole, part, start) >= part.length * 0.7;
}

/** Characters of a text whose words are compared: more would take long and change little. */
const comparedMax = 20_000;
/** Texts whose words are kept: one text is compared with several others in turn. */
const keptMax = 64;
const similarFrom = 0.5;

interface WordCounts {
  counts: ReadonlyMap<string, number>;
  total: number;
}

export class TextComparer {
  readonly #check: () => void;
  readonly #kept = new Map<string, WordCounts>();

  /** @param check called for each comparison and text, and may throw to end the work */
  constructor(check: () => void) {
    this.#check = check;
  }

  /** Whether one text is the other with changes. @param share how much of the longer one is in both, at least */
  areSimilar(a: string, b: string, share = similarFrom): boolean {
    this.#check();
    if (a === b) return true;
    const longer = Math.max(a.length, b.length);
    if (longer === 0 || Math.min(a.length, b.length) < longer * (share / 2)) return longer === 0;
    const start = commonStart(a, b);
    if (start + commonEnd(a, b, start) >= longer * share) return true;
    const [ofA, ofB] = [this.#wordsOf(a), this.#wordsOf(b)];
    let common = 0;
    for (const [word, count] of ofA.counts) common += Math.min(count, ofB.counts.get(word) ?? 0);
    return 2 * common >= (ofA.total + ofB.total) * share;
  }

  /** The distinct words of some texts. */
  distinctWords(texts: readonly string[]): Set<string> {
    const words = new Set<string>();
    for (const text of texts) for (const word of this.#wordsOf(text).counts.keys()) words.add(word);
    return words;
  }

  /** Share of the distinct words of a text that are known. */
  shareOfKnown(text: string, known: ReadonlySet<string>): number {
    const words = [...this.#wordsOf(text).counts.keys()].filter((word) => word.length > 3);
    return words.length === 0 ? 0 : words.filter((word) => known.has(word)).length / words.length;
  }

  #wordsOf(text: string): WordCounts {
    const kept = this.#kept.get(text);
    if (kept) return kept;
    this.#check();
    const counted = countWords(text);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < keptMax) break;
      this.#kept.delete(oldest);
    }
    this.#kept.set(text, counted);
    return counted;
  }
}

function countWords(text: string): WordCounts {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [word] of text
    .slice(0, comparedMax)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total++;
  }
  return { counts, total };
}
