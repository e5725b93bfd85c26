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
  readonly #parts: StoredPart[] = [];
  readonly #byText = new Map<string, number[]>();

  /** The ids of parts; equal ids are equal parts. */
  add(parts: readonly PromptPart[]): number[] {
    return parts.map((part) => {
      const sameText = this.#byText.get(part.text);
      const known = sameText?.find((id) => this.at(id).origin === part.origin && this.at(id).name === part.name);
      if (known !== undefined) return known;
      const id = this.#parts.length;
      this.#parts.push({ ...part, bytes: Buffer.byteLength(part.text), weight: part.mediaTokens ?? estimateTokens(part.text) });
      if (sameText) sameText.push(id);
      else this.#byText.set(part.text, [id]);
      return id;
    });
  }

  at(id: number): StoredPart {
    return this.#parts[id] as StoredPart;
  }
}
