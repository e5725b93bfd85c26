/**
 * Takes bytes out of payloads, so that a preview never carries half a base64 (contract: shared/contract/tracing/media.ts). Payloads nest foreign
 * shapes (results of tools, inputs of functions), so every object and every text is looked at, not only the parts of our messages.
 * Looks at one value at a time and only when asked, and remembers what it found: who shortens a conversation of 15 MB asks for what it
 * keeps, several times over.
 */
import type { MediaReference } from '../../../../shared/contract/tracing/media.ts';
import { carriedBy, type EmbeddedMedia, factsFor, modalityNamed, NO_FACTS, saysMedia, standingAlone } from './embedded-media.ts';
import { DEPTH_MAX, isObject, type JsonObject, jsonText } from './json-value.ts';
import { type MediaFacts, NESTED_KEYS } from './media-facts.ts';

/** Says where the bytes can be had. */
export type Refer = (media: EmbeddedMedia) => MediaReference;

/** JSON in texts in JSON: results of tools come like that, and each agent on the way may wrap them once more. */
const TEXT_NESTING_MAX = 8;
/** Fewer characters hold no medium. */
const READ_LENGTH_MIN = 40;
/** Shorter texts are cheaper to look at again than to remember. */
const REMEMBERED_LENGTH_MIN = 256;
/** Bounded in every part, so that no text makes it run back and forth. */
const ADDRESSES = /data:(?:[\w.+-]{1,64}\/[\w.+-]{1,64})?(?:;[\w=.+-]{1,64}){0,4};base64,[A-Za-z0-9+/_-]*={0,2}/g;
/** The fields that a reference speaks for: a sender's own of the same name would be taken for ours. */
const REFERENCE_KEYS: readonly string[] = ['type', 'mimeType', 'modality', 'sha256', 'size', 'url', 'problem'];

export class MediaReferences {
  readonly #refer: Refer;
  readonly #objects = new WeakMap<object, unknown>();
  readonly #texts = new Map<string, unknown>();
  /** What is known of an object from outside: Bedrock names the format one level above the bytes. */
  readonly #surroundings = new WeakMap<object, MediaFacts>();
  readonly #references = new WeakSet<object>();
  #textNesting = 0;

  constructor(refer: Refer) {
    this.#refer = refer;
  }

  /** What stands for this value in a preview: itself, or a reference. What lies inside it is asked for in turn, outside before inside. */
  at(value: unknown): unknown {
    if (typeof value === 'string') return value.length < REMEMBERED_LENGTH_MIN ? this.#text(value) : this.#remembered(this.#texts, value);
    return typeof value === 'object' && value !== null ? this.#remembered(this.#objects, value) : value;
  }

  /** Whether this field is one that a reference needs whole. */
  isPartOfReference(value: object, key: string): boolean {
    return this.#references.has(value) && REFERENCE_KEYS.includes(key);
  }

  /** A value without any bytes, at every level; the value itself when it has none. */
  all(value: unknown, depth = 0): unknown {
    const here = this.#read(value);
    if (typeof here !== 'object' || here === null || depth >= DEPTH_MAX) return here;
    const without = (inner: unknown) => this.all(inner, depth + 1);
    return Array.isArray(here) ? changedItems(here, without) : changedFields(here as JsonObject, without);
  }

  #remembered<K>(memory: { get(key: K): unknown; set(key: K, value: unknown): unknown }, value: K): unknown {
    let known = memory.get(value);
    if (known === undefined) {
      known = this.#read(value);
      memory.set(value, known);
    }
    return known;
  }

  #read(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    return typeof value === 'object' && value !== null ? this.#object(value) : value;
  }

  #object(value: object): unknown {
    const alone = standingAlone(value);
    if (alone !== undefined) return this.#reference(alone);
    if (!isObject(value)) return value;
    const outer = this.#surroundings.get(value);
    const facts = factsFor(value, outer ?? NO_FACTS);
    this.#tellInside(value, facts);
    const carried = outer !== undefined || saysMedia(value) ? carriedBy(value, facts) : undefined;
    return carried === undefined ? value : this.#reference(carried.media, othersOf(value, carried.key));
  }

  #tellInside(value: JsonObject, facts: MediaFacts): void {
    for (const key of NESTED_KEYS) {
      const inner = value[key];
      if (isObject(inner)) this.#surroundings.set(inner, { ...facts, modality: modalityNamed(key) || facts.modality });
    }
  }

  #text(text: string): unknown {
    if (text.length < READ_LENGTH_MIN) return text;
    const alone = standingAlone(text);
    if (alone !== undefined) return this.#reference(alone);
    const inner = this.#textNesting < TEXT_NESTING_MAX ? jsonOf(text) : undefined;
    if (inner !== undefined) {
      this.#textNesting++;
      const outcome = this.all(inner);
      this.#textNesting--;
      return outcome === inner ? text : jsonText(outcome);
    }
    return text.includes(';base64,') ? text.replace(ADDRESSES, (address) => this.#address(address)) : text;
  }

  /** An address within a text becomes one that leads to the bytes; one that was cut loses what is left of them. */
  #address(address: string): string {
    const found = standingAlone(address);
    return (found && this.#refer(found).url) ?? `${address.slice(0, address.indexOf(',') + 1)}…`;
  }

  #reference(media: EmbeddedMedia, others: JsonObject = {}): object {
    const reference = { ...this.#refer(media), ...others };
    this.#references.add(reference);
    return reference;
  }
}

/** Neither copies what stays as it is: most of a payload does, and it may be millions of values. */
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

function othersOf(value: JsonObject, bytesKey: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== bytesKey && !REFERENCE_KEYS.includes(key)));
}

/**
 * The value of a payload that is JSON of a list, an object or a text; undefined for any other text, and for JSON that was cut. Nothing is
 * taken out, however deep it is and whatever its keys: only for those who stop at a depth of their own and never assign a key.
 */
export function jsonOf(text: string): unknown {
  if (!/^\s*["[{]/.test(text) || !'"]}'.includes(text.trimEnd().at(-1) ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
