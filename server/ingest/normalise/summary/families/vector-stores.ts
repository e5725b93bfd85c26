import type { RawValue } from '../../../otlp/raw-span.ts';

/** Databases that are searched by vector: a call of one is a retrieval. */
const VECTOR_STORES = new Set(['pinecone', 'qdrant', 'weaviate', 'milvus', 'chroma', 'chromadb', 'marqo', 'lancedb']);

/** The store's name when a database is one that searches by vector. */
export function vectorStore(value: RawValue): string | undefined {
  return typeof value === 'string' && VECTOR_STORES.has(value.toLowerCase()) ? value : undefined;
}
