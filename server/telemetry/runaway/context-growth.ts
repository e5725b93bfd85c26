/** How the prompts of the model calls of a run grow. */
import { mix, numberOf, type Sign, type Step } from './step.ts';

/** Agents of a run that are told apart, by the name and model of their calls. */
const seriesMax = 8;
/** Successive calls, each with a longer prompt, and how much longer the last one is than the first. */
const callsMin = 4;
const growthMin = 2;

interface Series {
  first: number;
  last: number;
  calls: number;
}

export class ContextGrowth {
  readonly #series = new Map<number, Series>();

  /** @param window tokens that the model can take; null if unknown */
  add({ name, model, input_tokens }: Step, threshold: number, window: (model: string) => number | null): Sign | null {
    if (input_tokens === null || model === '') return null;
    const key = mix(numberOf(name), numberOf(model));
    const before = this.#series.get(key);
    const grows = before !== undefined && input_tokens > before.last;
    const series = grows
      ? { ...before, last: input_tokens, calls: before.calls + 1 }
      : { first: input_tokens, last: input_tokens, calls: 1 };
    this.#series.delete(key);
    this.#series.set(key, series);
    for (const oldest of this.#series.keys()) if (this.#series.size > seriesMax) this.#series.delete(oldest);
    if (series.calls < callsMin || series.last < series.first * growthMin) return null;
    const tokens = window(model);
    if (tokens === null || series.last < tokens * threshold) return null;
    return { rule: 'context_growth', subject: model, value: series.last / tokens };
  }
}
