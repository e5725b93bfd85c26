import { DEPTH_MAX, isObject, type JsonObject } from './json-value.ts';

/** A list of numbers shorter than this is a pair, a box or a colour rather than an embedding. */
const VECTOR_LENGTH_MIN = 17;
const VECTOR_KEYS = new Set(['embedding', 'embeddings', 'vector', 'vectors', 'values']);

/** What stands for an embedding: 1,536 numbers say nothing to a reader and would fill the screen (docs/reference/ingest.md#vectors). */
export interface Vector {
  $vector: number;
}

export function vectorOf(value: unknown): Vector | undefined {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'number' ? { $vector: value.length } : undefined;
}

/**
 * The value with its embeddings replaced by their lengths; the value itself when it has none. In the output of an embedding span
 * (`everywhere`) every long list of numbers is one, elsewhere only those that are named so.
 */
export function withoutVectors(value: unknown, everywhere: boolean): unknown {
  return replaced(value, everywhere, 0);
}

function replaced(value: unknown, isVectorPlace: boolean, depth: number): unknown {
  if (depth >= DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    if (isVectorPlace && value.length >= VECTOR_LENGTH_MIN && typeof value[0] === 'number') return vectorOf(value);
    return replacedList(value, isVectorPlace, depth);
  }
  return isObject(value) ? replacedFields(value, isVectorPlace, depth) : value;
}

function replacedList(list: unknown[], isVectorPlace: boolean, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue;
    const fresh = replaced(item, isVectorPlace, depth + 1);
    if (fresh === item) continue;
    copy ??= [...list];
    copy[index] = fresh;
  }
  return copy ?? list;
}

function replacedFields(object: JsonObject, isVectorPlace: boolean, depth: number): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(object)) {
    const item = object[key];
    if (typeof item !== 'object' || item === null) continue;
    const fresh = replaced(item, isVectorPlace || VECTOR_KEYS.has(key), depth + 1);
    if (fresh === item) continue;
    copy ??= Object.assign(Object.create(null), object) as Record<string, unknown>;
    copy[key] = fresh;
  }
  return copy ?? object;
}
