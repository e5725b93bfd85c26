/** Ids of the parts of one window. A text that stands in a prompt twice is two parts. */
import type { PromptTexts } from './prompt-texts.ts';

export class PartIds {
  /** By id: the part in `PromptTexts` as it was when it entered. */
  readonly texts: number[] = [];
  readonly #known: PromptTexts;
  readonly #ids = new Map<number, number[]>();

  constructor(known: PromptTexts) {
    this.#known = known;
  }

  of(prompt: readonly number[]): number[] {
    const seen = new Map<number, number>();
    return prompt.map((text) => {
      const { same } = this.#known.at(text);
      const nth = seen.get(same) ?? 0;
      seen.set(same, nth + 1);
      const ids = this.#ids.get(same) ?? [];
      this.#ids.set(same, ids);
      const id = ids[nth] ?? this.texts.push(text) - 1;
      ids[nth] = id;
      return id;
    });
  }
}
