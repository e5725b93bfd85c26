/** The parts of all prompts of a run, each once: most of a prompt is the prompt before it. */
import { estimateTokens } from './estimate-tokens.ts';
import type { PromptPart } from './prompt-part.ts';

export interface StoredPart extends PromptPart {
  /** Of the text in UTF-8. */
  bytes: number;
  /** Estimate of its tokens. */
  weight: number;
}

export class PromptTexts {
  /** UTF-16 units of all texts. */
  length = 0;
  readonly #parts: StoredPart[] = [];
  readonly #byText = new Map<string, number[]>();
  #last: readonly number[] = [];
  /** By id: where it stands in the prompt before. */
  #places: ReadonlyMap<number, number> = new Map();

  /** The ids of the parts of a prompt; equal ids are equal parts. */
  add(prompt: readonly PromptPart[]): number[] {
    // Comparing a text with that of the prompt before takes a fraction of looking it up.
    let place = 0;
    const ids = prompt.map((part) => {
      const next = this.#last[place];
      const id = next !== undefined && isSame(this.at(next), part) ? next : this.#find(part);
      place = (id === next ? place : (this.#places.get(id) ?? place - 1)) + 1;
      return id;
    });
    this.#last = ids;
    this.#places = new Map(ids.map((id, at): [number, number] => [id, at]));
    return ids;
  }

  at(id: number): StoredPart {
    return this.#parts[id] as StoredPart;
  }

  #find(part: PromptPart): number {
    const sameText = this.#byText.get(part.text);
    const known = sameText?.find((id) => isSame(this.at(id), part));
    if (known !== undefined) return known;
    const id = this.#parts.length;
    this.length += part.text.length;
    this.#parts.push({ ...part, bytes: Buffer.byteLength(part.text), weight: part.mediaTokens ?? estimateTokens(part.text) });
    if (sameText) sameText.push(id);
    else this.#byText.set(part.text, [id]);
    return id;
  }
}

const isSame = (a: PromptPart, b: PromptPart): boolean => a.origin === b.origin && a.name === b.name && a.text === b.text;
