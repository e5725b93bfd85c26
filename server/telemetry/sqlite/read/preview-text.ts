/** Writes a value as JSON within limits, and gives up as soon as the text is too long. */
import type { MediaReferences } from '../../../ingest/normalise/index.ts';

/** Limits of a preview: UTF-16 units of a text, elements of a list, fields of an object, levels. */
export interface Limits {
  text: number;
  items: number;
  fields: number;
  depth: number;
}

type Fields = Record<string, unknown>;

export class PreviewText {
  readonly bytesMax: number;
  readonly #media: MediaReferences;
  /** Cached field names, because listing them takes time and a value may be written many times. */
  readonly #fieldsOf = new WeakMap<object, string[]>();
  #limits: Limits = { text: 0, items: 0, fields: 0, depth: 0 };
  #pieces: string[] = [];
  #bytesLeft = 0;

  constructor(media: MediaReferences, bytesMax: number) {
    this.#media = media;
    this.bytesMax = bytesMax;
  }

  /** Null when the text would be too long. */
  of(value: unknown, limits: Limits): string | null {
    this.#limits = limits;
    this.#pieces = [];
    this.#bytesLeft = this.bytesMax;
    return this.#value(value, 0) ? this.#pieces.join('') : null;
  }

  #value(sent: unknown, depth: number): boolean {
    const value = this.#media.at(sent);
    if (typeof value === 'string') return this.#json(cut(value, this.#limits.text));
    if (typeof value !== 'object' || value === null) return this.#json(value);
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value as Fields, depth);
  }

  #list(list: readonly unknown[], depth: number): boolean {
    const included = Math.min(list.length, depth < this.#limits.depth ? this.#limits.items : 0);
    const head = Math.ceil(included / 2);
    if (!this.#put('[')) return false;
    for (let index = 0; index < head; index++) {
      if (!this.#put(index > 0 ? ',' : '') || !this.#value(list[index], depth + 1)) return false;
    }
    if (included < list.length && !(this.#put(head > 0 ? ',' : '') && this.#json(omission(list, list.length - included)))) return false;
    for (let index = list.length - (included - head); index < list.length; index++) {
      if (!this.#put(',') || !this.#value(list[index], depth + 1)) return false;
    }
    return this.#put(']');
  }

  #object(value: Fields, depth: number): boolean {
    const fieldsMax = depth < this.#limits.depth ? this.#limits.fields : 0;
    const keys = this.#fields(value);
    let written = 0;
    if (!this.#put('{')) return false;
    for (const key of keys) {
      // The fields of a reference come first and are never dropped.
      const isReference = this.#media.isPartOfReference(value, key);
      if (written >= fieldsMax && !isReference) break;
      if (!this.#put(written > 0 ? ',' : '') || !this.#json(cut(key, keyMax)) || !this.#put(':')) return false;
      if (!(isReference ? this.#json(value[key]) : this.#value(value[key], depth + 1))) return false;
      written++;
    }
    if (written < keys.length && !this.#put(`${written > 0 ? ',' : ''}"…":"${counted(keys.length - written, 'field')} left out"`))
      return false;
    return this.#put('}');
  }

  #fields(value: Fields): string[] {
    let fields = this.#fieldsOf.get(value);
    if (fields === undefined) {
      fields = Object.keys(value);
      this.#fieldsOf.set(value, fields);
    }
    return fields;
  }

  #json(value: unknown): boolean {
    return this.#put(JSON.stringify(value));
  }

  #put(piece: string): boolean {
    this.#bytesLeft -= Buffer.byteLength(piece);
    this.#pieces.push(piece);
    return this.#bytesLeft >= 0;
  }
}

const keyMax = 200;

/** Cuts between characters, never inside a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)}…`;
}

/** Note in place of the omitted elements, in the form of its neighbours (shared/contract/tracing/media.ts). */
function omission(list: readonly unknown[], omitted: number): Fields {
  const hasText = (key: string) => [list[0], list.at(-1)].every((item) => typeof (item as Fields | null)?.[key] === 'string');
  if (hasText('role')) return { role: 'omitted', content: `… ${counted(omitted, 'message')} left out …`, omitted };
  return hasText('type') ? { type: 'omitted', text: `… ${omitted} left out …`, omitted } : { omitted };
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
