/** Document found by a retriever, from any format. */
export interface FoundDocument {
  id: string;
  content: string;
  score: number | null;
  /** Whether `score` is a distance: smaller is nearer. */
  isDistance: boolean;
  metadata: Record<string, unknown>;
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const words = (value: unknown) => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value));
const first = (fields: Fields, ...keys: string[]) => keys.map((key) => fields[key]).find((value) => value !== undefined && value !== null);

const said = ['content', 'text', 'page_content', 'pageContent', 'document', 'body'];
const known = [...said, 'id', '_id', 'document_id', 'score', 'similarity', 'relevance_score', 'distance', 'metadata'];

function read(item: unknown): FoundDocument | null {
  if (!isFields(item)) return null;
  const fields = isFields(item.document) ? { ...item, ...item.document } : item;
  const content = first(fields, ...said);
  if (content === undefined && fields.id === undefined) return null;
  const score = first(fields, 'score', 'similarity', 'relevance_score', 'distance');
  const isDistance = fields.distance !== undefined && score === fields.distance;
  const rest = Object.fromEntries(Object.entries(fields).filter(([key]) => !known.includes(key)));
  const metadata = isFields(fields.metadata) ? { ...fields.metadata, ...rest } : rest;
  return {
    id: words(first(fields, 'id', '_id', 'document_id')),
    content: words(content),
    score: typeof score === 'number' && Number.isFinite(score) ? score : null,
    isDistance,
    metadata,
  };
}

/** The documents in a value, or null when it holds something else. */
export function readDocuments(value: unknown): FoundDocument[] | null {
  const list = isFields(value) ? (value.documents ?? value.matches ?? value.results) : value;
  if (!Array.isArray(list) || list.length === 0) return null;
  const found = list.map(read);
  return found.every((each) => each !== null) ? found : null;
}
