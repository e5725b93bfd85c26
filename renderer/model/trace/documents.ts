/** A document that a retriever returned, in any of the known formats. */
export interface FoundDocument {
  id: string;
  content: string;
  score: number | null;
  /** Whether `score` is a distance, where smaller is better. */
  isDistance: boolean;
  metadata: Record<string, unknown>;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const asText = (value: unknown) => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value));
const first = (fields: Fields, ...keys: string[]) => keys.map((key) => fields[key]).find((value) => value !== undefined && value !== null);

const contentKeys = ['content', 'text', 'page_content', 'pageContent', 'document', 'body'];
const knownKeys = [...contentKeys, 'id', '_id', 'document_id', 'score', 'similarity', 'relevance_score', 'distance', 'metadata'];

function readDocument(item: unknown): FoundDocument | null {
  if (!isFields(item)) return null;
  const fields = isFields(item.document) ? { ...item, ...item.document } : item;
  const content = first(fields, ...contentKeys);
  if (content === undefined && fields.id === undefined) return null;
  const score = first(fields, 'score', 'similarity', 'relevance_score', 'distance');
  const isDistance = fields.distance !== undefined && score === fields.distance;
  const rest = Object.fromEntries(Object.entries(fields).filter(([key]) => !knownKeys.includes(key)));
  const metadata = isFields(fields.metadata) ? { ...fields.metadata, ...rest } : rest;
  return {
    id: asText(first(fields, 'id', '_id', 'document_id')),
    content: asText(content),
    score: typeof score === 'number' && Number.isFinite(score) ? score : null,
    isDistance,
    metadata,
  };
}

/** The documents in a value; null for any other value. */
export function readDocuments(value: unknown): FoundDocument[] | null {
  const list = isFields(value) ? (value.documents ?? value.matches ?? value.results) : value;
  if (!Array.isArray(list) || list.length === 0) return null;
  const documents = list.map(readDocument);
  return documents.every((document) => document !== null) ? documents : null;
}
