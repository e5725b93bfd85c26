/** Numbers by which equal calls of a tool are recognised without keeping what they were called with. */
import type { SpanData } from '../../otlp/raw-span.ts';
import { inputPayload } from './input-payload.ts';
import { outputPayload } from './output-payload.ts';
import { SpanSources } from './span-sources.ts';
import { toolArguments } from './tool-arguments.ts';
import { argumentsValue, TOOL_ARGUMENT_KEYS, TOOL_RESULT_KEYS } from './tool-payload.ts';

export interface CallHashes {
  /** Equal for equal arguments, in whatever order their keys are; null where none were recorded. */
  arguments_hash: number | null;
  /** Equal for equal results, or equal error messages; null where none were recorded. */
  result_hash: number | null;
}

/** Values of arguments that are read; the rest of larger ones does not count. */
const valuesMax = 500;
const depthMax = 20;
/** Longer arguments are compared as text. */
const parsedMax = 10_000;
/** Characters that are read of a text, besides those at its edges. */
const readMax = 1024;
const edge = 128;

/** MUST NOT throw: the arguments come from anybody. */
export function callHashesOf(spanData: SpanData): CallHashes {
  try {
    const sources = new SpanSources(spanData, true);
    return { arguments_hash: argumentsHash(sources), result_hash: resultHash(sources) };
  } catch {
    return { arguments_hash: null, result_hash: null };
  }
}

/** Most senders use one of these, and a span with them need not be read any further. */
const plainArguments = TOOL_ARGUMENT_KEYS.filter((key) => key !== 'tool.parameters');

function argumentsHash(sources: SpanSources): number | null {
  const text = firstText(sources, plainArguments);
  if (text !== null) return text.length > parsedMax ? textHash(text) : new ValueHash().of(toolArguments(text));
  const input = inputPayload(sources);
  return input === undefined ? null : new ValueHash().of(argumentsValue(input));
}

function resultHash(sources: SpanSources): number | null {
  const text = firstText(sources, TOOL_RESULT_KEYS);
  if (text !== null) return textHash(text);
  const output = outputPayload(sources);
  const result = output === undefined ? sources.spanData.span.status_message : output.kind === 'value' ? output.text : output.text();
  return result === '' ? null : textHash(result);
}

function firstText({ view }: SpanSources, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = view.get(key);
    if (value !== undefined && value !== null && value !== '') return typeof value === 'string' ? value : null;
  }
  return null;
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

const join = (a: number, b: number): number =>
  numberFrom(Math.imul(low(a) ^ 0x9e3779b9, 0x85ebca6b) ^ low(b), Math.imul(high(a), 0xc2b2ae35) ^ high(b));

const low = (hash: number): number => (hash % 2 ** 32) | 0;
const high = (hash: number): number => (hash / 2 ** 32) | 0;

/** FNV-1a, twice. Of a long text every so many characters are read, and all at its beginning and end. */
function textHash(text: string): number {
  const step = Math.ceil(text.length / readMax);
  let a = 0x811c9dc5 ^ text.length;
  let b = 0x1b873593;
  for (let index = 0; index < text.length; index += index < edge || index >= text.length - edge ? 1 : step) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x5bd1e995);
  }
  return numberFrom(a, b);
}

const numberFrom = (a: number, b: number): number => (((b ^ (a >>> 7)) >>> 0) % 2 ** 20) * 2 ** 32 + ((a ^ (b >>> 13)) >>> 0);
