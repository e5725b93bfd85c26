/** Numbers by which equal calls of a tool are recognised without keeping what they were called with. */
import type { SpanData } from '../../otlp/raw-span.ts';
import { inputPayload } from './input-payload.ts';
import { outputPayload } from './output-payload.ts';
import { SpanSources } from './span-sources.ts';
import { argumentsValue } from './tool-payload.ts';

export interface CallHashes {
  /** Equal for equal arguments, in whatever order their keys are; null where none were recorded. */
  arguments_hash: number | null;
  /** Equal for equal results, or equal error messages; null where none were recorded. */
  result_hash: number | null;
}

/** Values of arguments that are read; the rest of larger ones does not count. */
const valuesMax = 500;
const depthMax = 20;
/** Characters that are read of a longer text, half of them from its end. */
const textMax = 4096;

/** MUST NOT throw: the arguments come from anybody. */
export function callHashesOf(spanData: SpanData): CallHashes {
  try {
    const sources = new SpanSources(spanData, true);
    const [input, output] = [inputPayload(sources), outputPayload(sources)];
    const { status_message } = spanData.span;
    const result = output === undefined ? status_message : output.kind === 'value' ? output.text : output.text();
    return {
      arguments_hash: input === undefined ? null : new ValueHash().of(argumentsValue(input)),
      result_hash: result === '' ? null : textHash(result),
    };
  } catch {
    return { arguments_hash: null, result_hash: null };
  }
}

class ValueHash {
  #values = 0;

  of(value: unknown, depth = 0): number {
    if (++this.#values > valuesMax || depth > depthMax) return 0;
    if (typeof value === 'string') return textHash(value);
    if (typeof value !== 'object' || value === null) return textHash(String(value));
    if (Array.isArray(value)) return value.reduce((hash: number, item) => join(hash, this.of(item, depth + 1)), value.length);
    let sum = 1;
    for (const key in value) {
      if (this.#values > valuesMax) break;
      // A sum does not depend on the order of the keys.
      sum = (sum + join(textHash(key), this.of((value as Record<string, unknown>)[key], depth + 1))) % exact;
    }
    return sum;
  }
}

/** Sums of two smaller numbers are exact. */
const exact = 2 ** 52;

const join = (a: number, b: number): number => numberFrom(Math.imul(low(a) ^ 0x9e3779b9, 0x85ebca6b) ^ low(b), Math.imul(high(a), 0xc2b2ae35) ^ high(b));

const low = (hash: number): number => hash % 2 ** 32 | 0;
const high = (hash: number): number => (hash / 2 ** 32) | 0;

/** FNV-1a, twice. */
function textHash(text: string): number {
  let a = 0x811c9dc5 ^ text.length;
  let b = 0x1b873593;
  const skipTo = text.length > textMax ? text.length - textMax / 2 : textMax / 2;
  for (let index = 0; index < text.length; index++) {
    if (index === textMax / 2) index = skipTo;
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
  }
  return numberFrom(a, b);
}

const numberFrom = (a: number, b: number): number => (((b ^ (a >>> 7)) >>> 0) % 2 ** 20) * 2 ** 32 + ((a ^ (b >>> 13)) >>> 0);
