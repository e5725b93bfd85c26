import { treeOf } from './attribute-tree.ts';
import { isObject, jsonText, structuredJson } from './json-value.ts';
import type { Payload } from './payload.ts';
import type { SpanSources } from './span-sources.ts';
import { type Vector, vectorOf } from './vectors.ts';

const TEXT_KEYS = ['ai.value', 'ai.values', 'vercel.ai.value', 'vercel.ai.values', 'embedding.text'] as const;
const VECTOR_ATTRIBUTES = ['ai.embedding', 'ai.embeddings', 'vercel.ai.embedding', 'vercel.ai.embeddings', 'embedding.vector'] as const;

/** Both lists have the prefix `embedding.embeddings.`: texts and vectors share it, and a vector reveals much of its text. */
export const EMBEDDED_KEYS: readonly string[] = [...TEXT_KEYS, 'embedding.embeddings.*'];
export const VECTOR_KEYS: readonly string[] = [...VECTOR_ATTRIBUTES, 'embedding.embeddings.*'];

/**
 * The texts that were embedded: AI SDK `ai.value` (JSON text) and `ai.values` (list of JSON texts), OpenInference
 * `embedding.embeddings.N.embedding.text` and `embedding.text`. One text stays text, several are a JSON list.
 */
export function embeddingInput(sources: SpanSources): Payload | undefined {
  for (const key of TEXT_KEYS) {
    const value = sources.structure(key) ?? sources.text(key);
    if (value !== '') return textsPayload(key, Array.isArray(value) ? value.map(parsedText) : [parsedText(value)]);
  }
  const rows = sources.flattened('embedding.embeddings.');
  return rows === undefined ? undefined : textsPayload('embedding.embeddings.*', fieldsOf(treeOf(rows), 'text'));
}

/** One `{"$vector": length}` for each vector that came back. */
export function embeddingOutput(sources: SpanSources): Payload | undefined {
  for (const key of VECTOR_ATTRIBUTES) {
    const value = sources.structure(key);
    if (value !== undefined) return vectorsPayload(key, vectorsIn(value));
  }
  const rows = sources.flattened('embedding.embeddings.');
  if (rows === undefined) return undefined;
  return vectorsPayload('embedding.embeddings.*', fieldsOf(treeOf(rows), 'vector').flatMap(vectorsIn));
}

function fieldsOf(tree: unknown, field: string): unknown[] {
  if (!Array.isArray(tree)) return [];
  return tree.flatMap((item) => {
    const embedding = isObject(item) ? item['embedding'] : undefined;
    const value = isObject(embedding) ? embedding[field] : undefined;
    return value === undefined || value === null ? [] : [value];
  });
}

function parsedText(value: unknown): unknown {
  return typeof value === 'string' ? (structuredJson(value) ?? value) : value;
}

/** A vector, a list of vectors, or a list of their JSON texts. */
function vectorsIn(value: unknown): Vector[] {
  const parsed = parsedText(value);
  const vector = vectorOf(parsed);
  if (vector !== undefined) return [vector];
  return Array.isArray(parsed) ? parsed.flatMap((item) => vectorOf(parsedText(item)) ?? []) : [];
}

function textsPayload(source: string, texts: unknown[]): Payload | undefined {
  if (texts.length === 0) return undefined;
  const onlyText = texts.length === 1 ? texts[0] : undefined;
  if (typeof onlyText === 'string') return onlyText === '' ? undefined : { kind: 'value', source, text: onlyText, value: undefined };
  return { kind: 'value', source, text: jsonText(texts), value: texts };
}

function vectorsPayload(source: string, vectors: Vector[]): Payload | undefined {
  return vectors.length === 0 ? undefined : { kind: 'value', source, text: jsonText(vectors), value: vectors };
}
