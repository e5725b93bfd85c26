import type { RawAttribute, RawValue, SpanData } from '../otlp/raw-span.ts';

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

/** Whether JSON text nests deeper than that of any honest sender. Brackets inside strings do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) quoted = !quoted;
    else if (quoted) index += code === 0x5c ? 1 : 0;
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > JSON_DEPTH_MAX) return true;
  }
  return false;
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

export class AttributeView {
  readonly spanData: SpanData;
  readonly #values = new Map<string, RawValue>();

  constructor(spanData: SpanData) {
    this.spanData = spanData;
    for (const [key, value] of spanData.resource.attributes) this.#values.set(key, value);
    for (const [key, value] of spanData.scope.attributes) this.#values.set(key, value);
    for (const [key, value] of spanData.span.attributes) this.#values.set(key, value);
  }

  get(key: string): RawValue | undefined {
    return this.#values.get(key);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** '' when absent or null. Other values are converted to text. */
  text(key: string): string {
    return textOf(this.#values.get(key));
  }

  /** The value, parsed if it is JSON text; undefined when absent. */
  json(key: string): unknown {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') return plainValue(value);
    const parsed = parseJson(value);
    return parsed === undefined ? value : parsed;
  }

  entries(): IterableIterator<[string, RawValue]> {
    return this.#values.entries();
  }

  /** The keys that begin with `prefix`, without it, in the order in which they were first sent. */
  *withPrefix(prefix: string): IterableIterator<[rest: string, value: RawValue]> {
    for (const [key, value] of this.#values) {
      if (key.startsWith(prefix)) yield [key.slice(prefix.length), value];
    }
  }
}
