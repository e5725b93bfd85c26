/** Ids of the parts of one window. A text that stands in a prompt twice is two parts. */
export class PartIds {
  /** By id: the text in `PromptTexts`. */
  readonly texts: number[] = [];
  readonly #ids = new Map<number, number[]>();

  of(prompt: readonly number[]): number[] {
    const seen = new Map<number, number>();
    return prompt.map((text) => {
      const nth = seen.get(text) ?? 0;
      seen.set(text, nth + 1);
      const ids = this.#ids.get(text) ?? [];
      this.#ids.set(text, ids);
      const id = ids[nth] ?? this.texts.push(text) - 1;
      ids[nth] = id;
      return id;
    });
  }
}
