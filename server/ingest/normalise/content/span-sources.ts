import type { RawEvent, RawValue, SpanData } from '../../otlp/raw-span.ts';
import { AttributeView, plainValue, textOf } from '../attributes.ts';
import { hasDroppedContent } from './dropped-content.ts';
import { historyTail } from './history-tail.ts';
import { structuredJson } from './json-value.ts';
import { roleOf, type SpanRole } from './span-role.ts';

/** Prefixes of flattened lists, with one attribute per field: the rest of the key begins with a number. */
export const FLATTENED_PREFIXES = [
  'llm.input_messages.',
  'llm.output_messages.',
  'llm.prompts.',
  'llm.choices.',
  'llm.tools.',
  'llm.request.functions.',
  'gen_ai.prompt.',
  'gen_ai.completion.',
  'embedding.embeddings.',
  'retrieval.documents.',
  'reranker.input_documents.',
  'reranker.output_documents.',
] as const;
export type FlattenedPrefix = (typeof FLATTENED_PREFIXES)[number];
type Row = [path: string, value: RawValue];

/** The attributes of a span while its content is read: each JSON text is parsed at most once, and the keys are scanned at most once. */
export class SpanSources {
  readonly spanData: SpanData;
  readonly view: AttributeView;
  /** Only the end of a long history is read. */
  readonly isPreview: boolean;
  #parsed: Map<string, unknown> | undefined;
  #flattened: Map<FlattenedPrefix, Row[]> | undefined;
  #role: SpanRole | undefined;

  constructor(spanData: SpanData, isPreview = false) {
    this.spanData = spanData;
    this.isPreview = isPreview;
    this.view = new AttributeView(spanData);
  }

  /** The events that may carry content. */
  get events(): readonly RawEvent[] {
    const { events } = this.spanData.span;
    return events.some(hasDroppedContent) ? events.filter((event) => !hasDroppedContent(event)) : events;
  }

  get role(): SpanRole {
    this.#role ??= roleOf(this.spanData, this.view);
    return this.#role;
  }

  /** The text of an attribute; '' when absent. */
  text(key: string): string {
    const value = this.view.get(key);
    return typeof value === 'string' ? value : textOf(value);
  }

  /** An attribute as a value: JSON objects, arrays and quoted strings are parsed, other text is undefined. */
  structure(key: string): unknown {
    const raw = this.view.get(key);
    if (raw === undefined || raw === null) return undefined;
    const existing = this.#parsed?.get(key);
    if (existing !== undefined) return existing;
    const value = typeof raw === 'string' ? structuredJson(raw) : plainValue(raw);
    this.#parsed ??= new Map();
    this.#parsed.set(key, value);
    return value;
  }

  /** Like `structure`, but a preview gets only the end of a long list of messages. */
  history(key: string): unknown {
    const raw = this.isPreview && this.role !== 'tool' ? this.view.get(key) : undefined;
    return (typeof raw === 'string' ? historyTail(raw) : undefined) ?? this.structure(key);
  }

  /** The attributes below a prefix, without it; undefined when there are none. */
  flattened(prefix: FlattenedPrefix): Row[] | undefined {
    this.#flattened ??= this.#hasFlattened() ? this.#scan() : new Map();
    return this.#flattened.get(prefix);
  }

  #hasFlattened(): boolean {
    for (const key of this.view.keys()) if (prefixOf(key) !== undefined) return true;
    return false;
  }

  #scan(): Map<FlattenedPrefix, Row[]> {
    const found = new Map<FlattenedPrefix, Row[]>();
    for (const [key, value] of this.view.entries()) {
      const prefix = prefixOf(key);
      if (prefix === undefined) continue;
      const rows = found.get(prefix);
      const row: Row = [key.slice(prefix.length), value];
      if (rows === undefined) found.set(prefix, [row]);
      else rows.push(row);
    }
    return found;
  }
}

const FIRST_LETTERS = new Set(FLATTENED_PREFIXES.map((prefix) => prefix.charCodeAt(0)));

function prefixOf(key: string): FlattenedPrefix | undefined {
  if (!FIRST_LETTERS.has(key.charCodeAt(0))) return undefined;
  for (const prefix of FLATTENED_PREFIXES) {
    if (!key.startsWith(prefix)) continue;
    const next = key.charCodeAt(prefix.length);
    return next >= 48 && next <= 57 ? prefix : undefined;
  }
  return undefined;
}
