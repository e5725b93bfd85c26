import type { RawAttribute, RawResource, RawScope, RawValue, SpanData } from '../otlp/raw-span.ts';
import { TapeSpan } from '../otlp/tape/tape-span.ts';

/**
 * The attributes of a span, its scope and its resource as one set: the resource, overlaid by the scope, overlaid by the span
 * (docs/reference/ingest.md#attributes). Nothing here changes what was received.
 */

/** Keys that reach the prototype of an object when they are assigned. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** The same in JSON text, plain or with ASCII letters escaped (`\\u005f_proto__`), which no ordinary serialiser writes. */
const FORBIDDEN_KEY_TEXT = /__proto__|constructor|prototype|\\u00[4-7]/;

/** Deeper values are truncated, so that a hostile one cannot overflow the stack of its readers. */
const DEPTH_MAX = 64;

/** Whether a key must never become a property of an object. */
export function isForbiddenKey(key: string): boolean {
  return FORBIDDEN_KEYS.has(key);
}

/**
 * A raw value as ordinary JavaScript: `{int}` stays decimal text unless it is exact as a number, `{double}` becomes a number
 * (NaN and infinities included), `{bytes}` its base64 text, `{map}` a null-prototype object without forbidden keys.
 */
export function plainValue(value: RawValue): unknown {
  return plainValueAt(value, 0);
}

function plainValueAt(value: RawValue, depth: number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEPTH_MAX) return null;
  if (Array.isArray(value)) return value.map((item) => plainValueAt(item, depth + 1));
  if ('map' in value) return plainMap(value.map, depth);
  if ('int' in value) return Number.isSafeInteger(Number(value.int)) ? Number(value.int) : value.int;
  if ('double' in value) return Number(value.double);
  return value.bytes;
}

function plainMap(entries: RawAttribute[], depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) {
    if (!isForbiddenKey(key)) object[key] = plainValueAt(value, depth + 1);
  }
  return object;
}

/** A shorter text cannot nest deeply enough to overflow the stack of a recursive reader or of JSON.stringify. */
const SHALLOW_CHARACTERS_MAX = 4096;
const JSON_DEPTH_MAX = 500;

/** Whether JSON text nests deeper than that of any honest sender. Brackets inside strings, which are most of a prompt, do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) {
      index = closingQuote(text, index);
      if (index < 0) return false;
    } else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
}

/** Where a string of JSON text ends; -1 when it does not. */
export function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}

/**
 * JSON text as a value, or undefined when it is not JSON (senders truncate long texts) or nests too deeply.
 * Forbidden keys are dropped at every level.
 */
export function parseJson(text: string): unknown {
  if (text.length > SHALLOW_CHARACTERS_MAX && isTooDeep(text)) return undefined;
  try {
    if (!FORBIDDEN_KEY_TEXT.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value: unknown) => (isForbiddenKey(key) ? undefined : value));
  } catch {
    return undefined;
  }
}

/** A raw value as text for display: strings unchanged, '' for null, JSON for arrays and maps. */
export function textOf(value: RawValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) || 'map' in value) return JSON.stringify(plainValue(value));
  if ('int' in value) return value.int;
  if ('double' in value) return value.double;
  return value.bytes;
}

const outerValuesByScope = new WeakMap<RawResource, WeakMap<RawScope, Map<string, RawValue>>>();

/** The attributes of the resource, overlaid by the scope: computed once for each pair. */
function outerValues({ resource, scope }: SpanData): Map<string, RawValue> {
  const byScope = outerValuesByScope.get(resource) ?? new WeakMap<RawScope, Map<string, RawValue>>();
  outerValuesByScope.set(resource, byScope);
  const values = byScope.get(scope) ?? new Map([...resource.attributes, ...scope.attributes]);
  byScope.set(scope, values);
  return values;
}

export class AttributeView {
  readonly spanData: SpanData;
  /** All attributes, or those of the resource and scope when the span is on a tape. */
  readonly #values: ReadonlyMap<string, RawValue>;
  readonly #tape: TapeSpan | null;

  constructor(spanData: SpanData) {
    this.spanData = spanData;
    const { span } = spanData;
    this.#tape = span instanceof TapeSpan ? span : null;
    const outer = outerValues(spanData);
    this.#values = this.#tape ? outer : new Map([...outer, ...span.attributes]);
  }

  get(key: string): RawValue | undefined {
    const index = this.#tape?.shape.indexOf(key);
    return index === undefined ? this.#values.get(key) : this.#tape?.value(index);
  }

  has(key: string): boolean {
    return this.#tape?.shape.indexOf(key) !== undefined || this.#values.has(key);
  }

  /** '' when absent or null. Other values are converted to text. */
  text(key: string): string {
    return textOf(this.get(key));
  }

  /** The value, parsed if it is JSON text; undefined when absent. */
  json(key: string): unknown {
    const value = this.get(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return plainValue(value);
    const parsed = parseJson(value);
    return parsed === undefined ? value : parsed;
  }

  entries(): Iterable<[string, RawValue]> {
    return this.#tape ? new Map([...this.#values, ...this.#tape.attributes]) : this.#values;
  }

  keys(): Iterable<string> {
    return this.#tape ? [...this.#values.keys(), ...this.#tape.shape.keys] : this.#values.keys();
  }

  /** The keys that begin with `prefix`, without it, in the order in which they were first sent. */
  *withPrefix(prefix: string): IterableIterator<[rest: string, value: RawValue]> {
    for (const [key, value] of this.entries()) {
      if (key.startsWith(prefix)) yield [key.slice(prefix.length), value];
    }
  }
}
