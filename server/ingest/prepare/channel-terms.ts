/**
 * Texts that repeat from batch to batch, such as names and models: a channel between two threads carries each of them once, as an index later
 * on, and their receiver always sees the same string.
 */

/** Longer texts hardly repeat. */
export const termLengthMax = 1_000;
/** A sender begins anew beyond these limits. */
const termsMax = 20_000;
const charactersMax = 4_000_000;

export class SentTerms {
  readonly #indexes = new Map<string, number>();
  #characters = 0;

  /** Number of terms that were sent; 0: the receiver forgets what it has. Call it before each batch. */
  begin(): number {
    if (this.#indexes.size >= termsMax || this.#characters >= charactersMax) {
      this.#indexes.clear();
      this.#characters = 0;
    }
    return this.#indexes.size;
  }

  /** @param added gets the term when it was not sent before */
  indexOf(term: string, added: string[]): number {
    const existing = this.#indexes.get(term);
    if (existing !== undefined) return existing;
    const index = this.#indexes.size;
    this.#indexes.set(term, index);
    this.#characters += term.length;
    added.push(term);
    return index;
  }
}

/** The other end. Batches are added in the order in which they were sent. */
export class ReceivedTerms {
  #terms: string[] = [];

  add({ knownTerms, newTerms }: { knownTerms: number; newTerms: readonly string[] }): readonly string[] {
    if (knownTerms === 0) this.#terms = [];
    if (knownTerms !== this.#terms.length) throw new Error(`${knownTerms} terms should be known, ${this.#terms.length} are`);
    for (const term of newTerms) this.#terms.push(term);
    return this.#terms;
  }
}
