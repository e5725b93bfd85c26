import { plainValue } from '../attributes.ts';
import { treeOf } from './attribute-tree.ts';
import { isObject, type JsonObject, structuredJson, textIn } from './json-value.ts';
import type { SpanSources } from './span-sources.ts';
import { withoutVectors } from './vectors.ts';

/** A retrieved document as `output_object` shows it (docs/reference/ingest.md#retrieved-documents). */
export interface RetrievedDocument {
  id?: unknown;
  content?: unknown;
  score?: unknown;
  distance?: unknown;
  metadata?: unknown;
}

export interface RetrievedDocuments {
  source: string;
  documents: RetrievedDocument[];
}

/** Retrieved documents only in a search of a memory; in other operations, records that are written to it. */
export const MEMORY_RECORDS = 'gen_ai.memory.records';
const LISTED_IN = ['gen_ai.retrieval.documents', MEMORY_RECORDS, 'ai.ranking', 'vercel.ai.ranking'] as const;
const FLATTENED_IN = ['retrieval.documents.', 'reranker.output_documents.'] as const;
export const DOCUMENT_KEYS: readonly string[] = [...LISTED_IN, ...FLATTENED_IN.map((prefix) => `${prefix}*`)];
/** One event for each retrieved document. */
export const RESULT_EVENTS: ReadonlySet<string> = new Set(['db.query.result', 'db.search.result']);

/**
 * The documents of a retrieval or reranking: OpenInference `retrieval.documents.N.document.*` and `reranker.output_documents.N…`,
 * `gen_ai.retrieval.documents`, the events of vector stores (`db.query.result`, `db.search.result`), AI SDK `ai.ranking`. `output` is the
 * value of the output on a retrieval span, where LangChain, Langfuse, MLflow, Genkit and AgentMark put the list itself.
 */
export function retrievedDocuments(sources: SpanSources, output: unknown): RetrievedDocuments | undefined {
  return flattened(sources) ?? attribute(sources) ?? events(sources) ?? (sources.role === 'retrieval' ? listed(output) : undefined);
}

function flattened(sources: SpanSources): RetrievedDocuments | undefined {
  for (const prefix of FLATTENED_IN) {
    const rows = sources.flattened(prefix);
    if (rows === undefined) continue;
    const tree = treeOf(rows);
    const found = documentsIn(Array.isArray(tree) ? tree.map((item) => (isObject(item) ? (item['document'] ?? item) : item)) : tree);
    if (found.length > 0) return { source: `${prefix}*`, documents: found };
  }
  return undefined;
}

function attribute(sources: SpanSources): RetrievedDocuments | undefined {
  for (const key of LISTED_IN) {
    if (key === MEMORY_RECORDS && sources.role !== 'retrieval') continue;
    const value = sources.structure(key);
    const list = Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? (structuredJson(item) ?? item) : item)) : [];
    const found = documentsIn(list);
    if (found.length > 0) return { source: key, documents: found };
  }
  return undefined;
}

/** One event per document, with `id, document, score, distance, metadata, entity` (OpenLLMetry's vector stores). */
function events(sources: SpanSources): RetrievedDocuments | undefined {
  const results = sources.events.filter((event) => RESULT_EVENTS.has(event.name));
  if (results.length === 0) return undefined;
  const bodies = results.map((event) => eventFields(plainValue({ map: event.attributes }), `${event.name}.`));
  return { source: `event ${results[0]?.name}`, documents: documentsIn(bodies) };
}

/** Attributes may be prefixed with the name of the event: `db.query.result.id`. */
function eventFields(attributes: unknown, prefix: string): JsonObject {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(isObject(attributes) ? attributes : {})) {
    fields[key.startsWith(prefix) ? key.slice(prefix.length) : key] = value;
  }
  return fields;
}

const LIST_KEYS = ['documents', 'outputs', 'output', 'results', 'matches', 'docs', 'data', 'ranking'] as const;

/** The list itself, or a list under one of the known keys. Other objects are not documents. */
function listed(output: unknown): RetrievedDocuments | undefined {
  const lists = isObject(output) ? LIST_KEYS.map((key) => output[key]) : [output];
  for (const list of lists) {
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string' || isDocument(item))) continue;
    const found = documentsIn(list);
    if (found.length > 0) return { source: 'output', documents: found };
  }
  return undefined;
}

const CONTENT_KEYS = ['content', 'document', 'page_content', 'pageContent', 'text', 'chunk', 'entity', 'node'] as const;

function isDocument(item: unknown): boolean {
  return isObject(item) && (CONTENT_KEYS.some((key) => key in item) || isObject(item['kwargs']));
}

function documentsIn(list: unknown): RetrievedDocument[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => documentOf(item) ?? []);
}

function documentOf(item: unknown): RetrievedDocument | undefined {
  if (typeof item === 'string') return { content: item };
  if (!isObject(item)) return undefined;
  const fields = isObject(item['kwargs']) ? item['kwargs'] : item;
  const document: RetrievedDocument = {};
  copy(document, 'id', fields['id'] ?? fields['document_id'] ?? fields['originalIndex'] ?? fields['index']);
  copy(document, 'content', contentOf(fields));
  copy(document, 'score', fields['score'] ?? fields['relevanceScore'] ?? fields['relevance_score'] ?? fields['similarity']);
  copy(document, 'distance', fields['distance']);
  copy(document, 'metadata', withoutVectors(fields['metadata'], false));
  return Object.keys(document).length === 0 ? undefined : document;
}

function copy(document: RetrievedDocument, key: keyof RetrievedDocument, value: unknown): void {
  if (value !== undefined && value !== null) document[key] = value;
}

function contentOf(fields: JsonObject): unknown {
  for (const key of CONTENT_KEYS) {
    const value = fields[key];
    if (typeof value === 'string') return value;
    const inner = isObject(value) ? (textIn(value, 'text') ?? textIn(value, 'content') ?? withoutVectors(value, false)) : undefined;
    if (inner !== undefined) return inner;
    if (Array.isArray(value)) return joined(value) ?? value;
  }
  return undefined;
}

/** Genkit's documents hold parts. */
function joined(parts: unknown[]): string | undefined {
  const texts = parts.flatMap((part) => (isObject(part) ? (textIn(part, 'text') ?? []) : []));
  return texts.length === parts.length && texts.length > 0 ? texts.join('\n') : undefined;
}
