import type { SpanColumns } from './prepared.ts';

/** Columns of an exported span whose turn was read from a session file, which has its usage. */
export const withoutUsage = {
  type: 'SPAN',
  semantic_kind: 'function',
  bookkeeping: true,
  input_tokens: null,
  output_tokens: null,
  total_tokens: null,
  cache_read_tokens: null,
  cache_write_tokens: null,
  reasoning_tokens: null,
  cost: null,
  cost_source: 'none',
} as const satisfies Partial<SpanColumns>;
