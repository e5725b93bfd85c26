import type { RawValue } from '../../otlp/raw-span.ts';
import { isForbiddenKey, textOf } from '../attributes.ts';
import { isRecord } from './field-resolver.ts';
import type { MetadataEntry, SpanFieldResolver } from './span-field-resolver.ts';

/** Prefix of the keys that describe the agent graph; never part of the public metadata. */
const GRAPH = 'graph.node.';

export interface Metadata {
  /** The public metadata of the summary. Null prototype. */
  entries: Record<string, string>;
  /** The `graph.node.*` entries by the rest of their key; null when there are none. */
  graph: Record<string, string> | null;
}

/** Joins the metadata of all families: strings unchanged, other values as JSON, null left out. */
export function metadataOf(resolver: SpanFieldResolver): Metadata {
  const metadata: Metadata = { entries: Object.create(null), graph: null };
  for (const { target, value } of byPrecedence(resolver.metadata)) {
    if (target.name !== null) put(metadata, target.name, resolver.isAbsent(value) ? null : textOf(value));
    else putObject(metadata, value, resolver);
  }
  return metadata;
}

/** Later entries overwrite earlier ones, so the family with the highest precedence comes last. Most spans have one family. */
function byPrecedence(entries: MetadataEntry[]): MetadataEntry[] {
  const first = entries[0]?.target.rank;
  if (entries.every(({ target }) => target.rank === first)) return entries;
  return entries.toSorted((left, right) => right.target.rank - left.target.rank);
}

function putObject(metadata: Metadata, value: RawValue, resolver: SpanFieldResolver): void {
  const object = resolver.json(value);
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
