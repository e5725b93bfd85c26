/** Converts rows of `span` to spans of the contract. */
import type { SpanItem } from '../../../../shared/contract/tracing/spans.ts';
import { flag } from '../file/codes.ts';
import { requireNumbers } from '../file/damaged.ts';
import type { Documents } from '../file/documents.ts';
import { readStoredId } from '../file/id-codec.ts';
import type { SentSpanRow } from './sent-span.ts';
import { spanItem } from './wire-items.ts';

export interface SpanRow extends SentSpanRow {
  id: number;
  name: string;
  start_us: number;
  duration_ns: number;
  status: number;
  type: number;
  kind: number;
  flags: number;
  status_message: string | null;
  model: string | null;
  service: string | null;
  prompt: string | null;
  finish_reason: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  tokens: number | null;
  reasoning_tokens: number | null;
  cost: number | null;
  cost_source: number;
  metadata: number | null;
}

/** Selects a SpanRow. Each text is one lookup by term id in a small table. */
export const spanColumns = `span.id, span.trace, trace.trace_id, span.span_id, span.parent_id,
  (SELECT value FROM term WHERE term.id = span.name) AS name,
  span.start_us, span.duration_ns, span.status, span.type, span.kind, span.flags, span.status_message,
  (SELECT value FROM term WHERE term.id = span.model) AS model,
  (SELECT value FROM term WHERE term.id = span.service) AS service,
  (SELECT value FROM term WHERE term.id = span.prompt) AS prompt,
  (SELECT value FROM term WHERE term.id = span.finish_reason) AS finish_reason,
  span.input_tokens, span.output_tokens, span.tokens, span.reasoning_tokens, span.cost, span.cost_source,
  span.metadata, span.resource, span.instrumentation, span.block, span.at, span.size`;

/** Condition that a span is not a placeholder. */
export const isVisible = `(span.flags & ${flag.placeholder}) = 0`;

/**
 * With millisecond clocks parents and children may have the same start; then the longer span comes first. The order of arrival does not count,
 * so that a trace reads the same in every store.
 */
export const oldestFirst = 'span.start_us, span.start_rest_ns, span.duration_ns DESC, span.span_id';

export function metadataOf(documents: Documents, id: number | null): Record<string, string> {
  return id ? (documents.parsed(id) as Record<string, string>) : {};
}

const spanNumbers = ['start_us', 'duration_ns', 'status', 'type', 'kind', 'flags', 'cost_source'] as const;
const spanCounts = ['input_tokens', 'output_tokens', 'tokens', 'reasoning_tokens', 'cost'] as const;

/** @throws StorageError `corrupt` when the row is damaged */
export function spanItemOf(row: SpanRow, documents: Documents): SpanItem {
  requireNumbers(row, spanNumbers, 'A span');
  requireNumbers(
    row,
    spanCounts.filter((column) => row[column] !== null),
    'A span',
  );
  return spanItem({
    ...row,
    span_id: readStoredId(row.span_id),
    trace_id: readStoredId(row.trace_id),
    parent_id: row.parent_id === null ? '' : readStoredId(row.parent_id),
    name: row.name ?? '',
    status_message: row.status_message ?? '',
    model: row.model ?? '',
    service: row.service ?? '',
    prompt: row.prompt ?? '',
    metadata: metadataOf(documents, row.metadata),
  });
}
