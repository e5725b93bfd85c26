/**
 * Replaces bytes in payloads by references, so that a preview never contains truncated base64 (contract:
 * shared/contract/tracing/media.ts). Payloads contain values of any shape (results of tools, inputs of functions), so every object and
 * every text is checked, not only the parts of our messages. Each value is checked on request and the result remembered: shortening a
 * conversation of 15 MB asks repeatedly for the values that it keeps.
 */
import type { MediaReference } from '../../../../shared/contract/tracing/media.ts';
import { declaresMedia, type EmbeddedMedia, factsFor, findMediaField, modalityIn, NO_FACTS, undeclaredMedia } from './embedded-media.ts';
import { DEPTH_MAX, isObject, type JsonObject, jsonText } from './json-value.ts';
import { type MediaFacts, NESTED_KEYS } from './media-facts.ts';

/** Creates the reference to the bytes. */
export type Refer = (media: EmbeddedMedia) => MediaReference;

/** Maximum nesting of JSON text in JSON text: results of tools come like that, and each agent may wrap them once more. */
const TEXT_NESTING_MAX = 8;
/** Shorter texts contain no media. */
const READ_LENGTH_MIN = 40;
/** Shorter texts are cheaper to check again than to remember. */
const REMEMBERED_LENGTH_MIN = 256;
/** Data URLs. Every part is bounded, to prevent excessive backtracking. */
const DATA_URLS = /data:(?:[\w.+-]{1,64}\/[\w.+-]{1,64})?(?:;[\w=.+-]{1,64}){0,4};base64,[A-Za-z0-9+/_-]*={0,2}/g;
/** The fields of a reference. A sender's fields of these names are left out: they would be mistaken for ours. */
const REFERENCE_KEYS: readonly string[] = ['type', 'mimeType', 'modality', 'sha256', 'size', 'url', 'problem'];

export class MediaReferences {
  readonly #refer: Refer;
  readonly #objects = new WeakMap<object, unknown>();
  readonly #texts = new Map<string, unknown>();
  /** What is known of an object from the objects around it: Bedrock names the format one level above the bytes. */
  readonly #outerFacts = new WeakMap<object, MediaFacts>();
  readonly #references = new WeakSet<object>();
  #textNesting = 0;

  constructor(refer: Refer) {
    this.#refer = refer;
  }

  /** The value for a preview: itself, or a reference. Values inside it are requested separately, after it. */
  at(value: unknown): unknown {
    if (typeof value === 'string') return value.length < REMEMBERED_LENGTH_MIN ? this.#text(value) : this.#remembered(this.#texts, value);
    return typeof value === 'object' && value !== null ? this.#remembered(this.#objects, value) : value;
  }

  /** Whether the field belongs to a reference and must not be shortened. */
  isPartOfReference(value: object, key: string): boolean {
    return this.#references.has(value) && REFERENCE_KEYS.includes(key);
  }

  /** A value without any bytes, at every level; the value itself when it has none. */
  all(value: unknown, depth = 0): unknown {
    const current = this.#read(value);
    if (typeof current !== 'object' || current === null || depth >= DEPTH_MAX) return current;
    const replace = (inner: unknown) => this.all(inner, depth + 1);
    return Array.isArray(current) ? changedItems(current, replace) : changedFields(current as JsonObject, replace);
  }

  #remembered<K>(memory: { get(key: K): unknown; set(key: K, value: unknown): unknown }, value: K): unknown {
    let result = memory.get(value);
    if (result === undefined) {
      result = this.#read(value);
      memory.set(value, result);
    }
    return result;
  }

  #read(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    return typeof value === 'object' && value !== null ? this.#object(value) : value;
  }

  #object(value: object): unknown {
    const undeclared = undeclaredMedia(value);
    if (undeclared !== undefined) return this.#reference(undeclared);
    if (!isObject(value)) return value;
    const outer = this.#outerFacts.get(value);
    const facts = factsFor(value, outer ?? NO_FACTS);
    this.#noteNested(value, facts);
    const declared = outer !== undefined || declaresMedia(value) ? findMediaField(value, facts) : undefined;
    return declared === undefined ? value : this.#reference(declared.media, otherFields(value, declared.key));
  }

  #noteNested(value: JsonObject, facts: MediaFacts): void {
    for (const key of NESTED_KEYS) {
      const inner = value[key];
      if (isObject(inner)) this.#outerFacts.set(inner, { ...facts, modality: modalityIn(key) || facts.modality });
    }
  }

  #text(text: string): unknown {
    if (text.length < READ_LENGTH_MIN) return text;
    const undeclared = undeclaredMedia(text);
    if (undeclared !== undefined) return this.#reference(undeclared);
    const inner = this.#textNesting < TEXT_NESTING_MAX ? jsonOf(text) : undefined;
    if (inner !== undefined) {
      this.#textNesting++;
      const replaced = this.all(inner);
      this.#textNesting--;
      return replaced === inner ? text : jsonText(replaced);
    }
    return text.includes(';base64,') ? text.replace(DATA_URLS, (dataUrl) => this.#urlFor(dataUrl)) : text;
  }

  /** Replaces a data URL within a text by the URL of its bytes; unreadable bytes are removed. */
  #urlFor(dataUrl: string): string {
    const found = undeclaredMedia(dataUrl);
    return (found && this.#refer(found).url) ?? `${dataUrl.slice(0, dataUrl.indexOf(',') + 1)}…`;
  }

  #reference(media: EmbeddedMedia, fields: JsonObject = {}): object {
    const reference = { ...this.#refer(media), ...fields };
    this.#references.add(reference);
    return reference;
  }
}

/** `changedItems` and `changedFields` copy only if something changes: most of a payload, which may have millions of values, does not. */
function changedItems(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index++) {
    const changed = change(items[index]);
    if (changed === items[index]) continue;
    copy ??= [...items];
    copy[index] = changed;
  }
  return copy ?? items;
}

function changedFields(fields: JsonObject, change: (field: unknown) => unknown): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    const changed = change(fields[key]);
    if (changed === fields[key]) continue;
    copy ??= Object.assign(Object.create(null) as Record<string, unknown>, fields);
    copy[key] = changed;
  }
  return copy ?? fields;
}

function otherFields(value: JsonObject, bytesKey: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== bytesKey && !REFERENCE_KEYS.includes(key)));
}

/**
 * The value of a payload that is JSON of a list, an object or a string; undefined for any other text, and for truncated JSON. Neither depth
 * nor keys are restricted: callers must limit the depth themselves and never assign a key.
 */
export function jsonOf(text: string): unknown {
  if (!/^\s*["[{]/.test(text) || !'"]}'.includes(text.trimEnd().at(-1) ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
