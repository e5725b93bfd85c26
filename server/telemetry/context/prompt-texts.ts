/** The parts of all prompts of a run, each once: most of a prompt is the prompt before it. */
import { estimateTokens } from './estimate-tokens.ts';
import type { PromptPart } from './prompt-part.ts';

export interface StoredPart extends PromptPart {
  /** Id of the first part that is the same to a model. Others differ from it in their labels and in the calls that they answer. */
  same: number;
  /** Of the text in UTF-8. */
  bytes: number;
  /** Estimate of its tokens. */
  weight: number;
}

/** What a part takes besides its text, in UTF-16 units. */
const partLength = 100;

export class PromptTexts {
  /** UTF-16 units of all texts, and about what their parts take. */
  length = 0;
  readonly #parts: StoredPart[] = [];
  readonly #byText = new Map<string, number>();
  /** The first of the parts that are the same, by what makes them so. */
  readonly #same = new Map<string, number>();
  readonly #byKey = new Map<string, number>();
  #last: readonly number[] = [];
  /** By id: where it stands in the prompt before. */
  #places: ReadonlyMap<number, number> = new Map();

  /** The ids of the parts of a prompt; equal ids are equal parts. */
  add(prompt: readonly PromptPart[]): number[] {
    // Comparing a text with that of the prompt before takes a fraction of looking it up.
    let place = 0;
    const ids = prompt.map((part) => {
      const next = this.#last[place];
      const id = next !== undefined && isEqual(this.at(next), part) ? next : this.#find(part);
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
    const { origin, name, label, callId, mediaTokens } = part;
    const id = this.#parts.length;
    const text = this.#byText.get(part.text);
    const sameKey = JSON.stringify([text ?? id, origin, name]);
    const key = JSON.stringify([sameKey, label, callId, mediaTokens]);
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    this.#byKey.set(key, id);
    if (text === undefined) this.#byText.set(part.text, id);
    const same = this.#same.get(sameKey) ?? id;
    if (same === id) this.#same.set(sameKey, id);
    this.#keep({ ...part, text: text === undefined ? part.text : this.at(text).text, same });
    return id;
  }

  #keep(part: PromptPart & { same: number }): void {
    const { text, mediaTokens, same } = part;
    this.length += partLength + (same === this.#parts.length ? text.length : 0);
    this.#parts.push({ ...part, bytes: Buffer.byteLength(text), weight: mediaTokens ?? estimateTokens(text) });
  }
}

const isEqual = (a: PromptPart, b: PromptPart): boolean =>
  a.origin === b.origin &&
  a.name === b.name &&
  a.label === b.label &&
  a.callId === b.callId &&
  a.mediaTokens === b.mediaTokens &&
  a.text === b.text;
