import { DEPTH_MAX, isObject, type JsonObject } from './json-value.ts';

/** Shorter lists of numbers are coordinates or colours rather than embeddings. */
const VECTOR_LENGTH_MIN = 17;
const VECTOR_KEYS = new Set(['embedding', 'embeddings', 'vector', 'vectors', 'values']);

/** Replaces an embedding by its length: 1,536 numbers are of no use to a reader and would fill the screen (docs/reference/ingest.md#vectors). */
export interface Vector {
  $vector: number;
}

export function vectorOf(value: unknown): Vector | undefined {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'number' ? { $vector: value.length } : undefined;
}

/**
 * The value with its embeddings replaced by their lengths; the value itself when it has none. In the output of an embedding span
 * (`everywhere`) every long list of numbers is an embedding, elsewhere only a list under a known key.
 */
export function withoutVectors(value: unknown, everywhere: boolean): unknown {
  return replaceVectors(value, everywhere, 0);
}

function replaceVectors(value: unknown, isVectorKey: boolean, depth: number): unknown {
  if (depth >= DEPTH_MAX) return value;
  if (Array.isArray(value)) {
    if (isVectorKey && value.length >= VECTOR_LENGTH_MIN && typeof value[0] === 'number') return vectorOf(value);
    return replaceInList(value, isVectorKey, depth);
  }
  return isObject(value) ? replaceInFields(value, isVectorKey, depth) : value;
}

function replaceInList(list: unknown[], isVectorKey: boolean, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue;
    const changed = replaceVectors(item, isVectorKey, depth + 1);
    if (changed === item) continue;
    copy ??= [...list];
    copy[index] = changed;
  }
  return copy ?? list;
}

function replaceInFields(object: JsonObject, isVectorKey: boolean, depth: number): unknown {
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(object)) {
    const item = object[key];
    if (typeof item !== 'object' || item === null) continue;
    const changed = replaceVectors(item, isVectorKey || VECTOR_KEYS.has(key), depth + 1);
    if (changed === item) continue;
    copy ??= Object.assign(Object.create(null), object) as Record<string, unknown>;
    copy[key] = changed;
  }
  return copy ?? object;
}
