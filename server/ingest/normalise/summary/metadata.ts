import type { RawValue } from '../../otlp/raw-span.ts';
import { isForbiddenKey, textOf } from '../attributes.ts';
import { isRecord } from './evidence.ts';
import type { MetadataEntry, SpanEvidence } from './span-evidence.ts';

/** Prefix of the keys that describe the agent graph; never part of the public metadata. */
const GRAPH = 'graph.node.';

export interface Metadata {
  /** What the summary shows. Null prototype. */
  entries: Record<string, string>;
  /** The `graph.node.*` entries, by what follows the prefix; null when there are none. */
  graph: Record<string, string> | null;
}

/** Joins the families' metadata: texts as they are, everything else as JSON, null left out. */
export function metadataOf(evidence: SpanEvidence): Metadata {
  const metadata: Metadata = { entries: Object.create(null), graph: null };
  for (const { place, value } of worstFirst(evidence.metadata)) {
    if (place.name !== null) put(metadata, place.name, evidence.isNothing(value) ? null : textOf(value));
    else putObject(metadata, value, evidence);
  }
  return metadata;
}

/** Later entries overwrite: the family with the best rank comes last. Nearly always there is only one. */
function worstFirst(entries: MetadataEntry[]): MetadataEntry[] {
  const first = entries[0]?.place.rank;
  if (entries.every(({ place }) => place.rank === first)) return entries;
  return entries.toSorted((left, right) => right.place.rank - left.place.rank);
}

function putObject(metadata: Metadata, value: RawValue, evidence: SpanEvidence): void {
  const object = evidence.json(value);
  if (!isRecord(object)) return;
  for (const [name, item] of Object.entries(object)) put(metadata, name, jsonText(item));
}

function jsonText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function put(metadata: Metadata, name: string, text: string | null): void {
  if (text === null || isForbiddenKey(name)) return;
  if (!name.startsWith(GRAPH)) {
    metadata.entries[name] = text;
    return;
  }
  metadata.graph ??= Object.create(null) as Record<string, string>;
  metadata.graph[name.slice(GRAPH.length)] = text;
}
