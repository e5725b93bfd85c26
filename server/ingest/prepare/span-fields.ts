/**
 * Fields of a prepared span: the encoding between threads and the source of each. The types, the derivation and the codec all follow from
 * this table.
 */

/** Null is allowed where a question mark stands. `tags`, `preview`, `slice` and `slices` have a form of their own. */
export type Form = 'text' | 'text?' | 'number' | 'number?' | 'flag' | 'tags' | 'preview' | 'slice' | 'slices';

/**
 * `summary` and `usage`: of the normalised span, by the same name; `times`, `price`, `shown`: worked out beside it;
 * `batch`: known where the batch is built.
 */
export type Source = 'summary' | 'usage' | 'times' | 'price' | 'shown' | 'batch';

export const spanFields = {
  trace_id: ['text', 'batch'],
  span_id: ['text', 'batch'],
  parent_id: ['text?', 'batch'],
  resource: ['number', 'batch'],
  instrumentation: ['number', 'batch'],
  start_us: ['number', 'times'],
  start_rest_ns: ['number', 'times'],
  duration_ns: ['number', 'times'],
  clock_suspect: ['flag', 'times'],
  name: ['text', 'summary'],
  type: ['text', 'summary'],
  semantic_kind: ['text', 'summary'],
  status: ['text', 'summary'],
  status_message: ['text', 'summary'],
  service_name: ['text', 'summary'],
  model: ['text', 'summary'],
  usage_aggregate: ['flag', 'summary'],
  session_id: ['text', 'summary'],
  session_name: ['text', 'summary'],
  user_id: ['text', 'summary'],
  trace_name: ['text', 'summary'],
  prompt_name: ['text', 'summary'],
  environment: ['text', 'summary'],
  commit_sha: ['text', 'summary'],
  dataset_run_id: ['text', 'summary'],
  finish_reason: ['text', 'summary'],
  ttft_ms: ['number?', 'summary'],
  tags: ['tags', 'summary'],
  pending: ['flag', 'summary'],
  placeholder: ['flag', 'summary'],
  bookkeeping: ['flag', 'summary'],
  input_tokens: ['number?', 'usage'],
  output_tokens: ['number?', 'usage'],
  total_tokens: ['number?', 'usage'],
  cache_read_tokens: ['number?', 'usage'],
  cache_write_tokens: ['number?', 'usage'],
  reasoning_tokens: ['number?', 'usage'],
  cost: ['number?', 'price'],
  cost_source: ['text', 'price'],
  preview: ['preview', 'shown'],
  metadata: ['text', 'shown'],
  record: ['slice', 'batch'],
  texts: ['slices', 'batch'],
} as const satisfies Record<string, readonly [Form, Source]>;

export type SpanField = keyof typeof spanFields;

/** The fields that come from one source. */
export type FieldsFrom<S extends Source> = { [F in SpanField]: (typeof spanFields)[F][1] extends S ? F : never }[SpanField];

/** In the order of the table. */
export const fields = Object.entries(spanFields) as [SpanField, readonly [Form, Source]][];

/**
 * A function of the given body. V8 reads and builds objects of so many fields several times as fast where each field is named in the code as
 * where a loop goes over names, so the code is written from the table; nothing else goes into it.
 */
export const compiled = <F>(parameters: string, body: string): F => new Function(parameters, body) as F;
