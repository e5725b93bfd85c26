/**
 * Fields of a prepared span, each with its encoding between threads and its source. The types, the derivation and the codec are generated
 * from this table.
 */

/** A question mark allows null; a term is a text that repeats. */
export type Form = 'term' | 'text' | 'text?' | 'number' | 'number?' | 'flag' | 'tags' | 'preview' | 'slice' | 'slices';

/**
 * `summary` and `usage`: from the normalised span, by the same name; `times`, `price`, `display`: derived separately;
 * `batch`: set when the batch is built.
 */
export type Source = 'summary' | 'usage' | 'times' | 'price' | 'display' | 'batch';

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
  name: ['term', 'summary'],
  type: ['term', 'summary'],
  semantic_kind: ['term', 'summary'],
  status: ['term', 'summary'],
  status_message: ['text', 'summary'],
  service_name: ['term', 'summary'],
  model: ['term', 'summary'],
  usage_aggregate: ['flag', 'summary'],
  session_id: ['term', 'summary'],
  session_name: ['term', 'summary'],
  user_id: ['term', 'summary'],
  trace_name: ['term', 'summary'],
  prompt_name: ['term', 'summary'],
  environment: ['term', 'summary'],
  commit_sha: ['term', 'summary'],
  dataset_run_id: ['term', 'summary'],
  finish_reason: ['term', 'summary'],
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
  cost_source: ['term', 'price'],
  preview: ['preview', 'display'],
  metadata: ['term', 'display'],
  arguments_hash: ['number?', 'batch'],
  result_hash: ['number?', 'batch'],
  record: ['slice', 'batch'],
  texts: ['slices', 'batch'],
} as const satisfies Record<string, readonly [Form, Source]>;

export type SpanField = keyof typeof spanFields;

/** The fields that come from one source. */
export type FieldsFrom<S extends Source> = { [F in SpanField]: (typeof spanFields)[F][1] extends S ? F : never }[SpanField];

/** In the order of the table. */
export const fields = Object.entries(spanFields) as [SpanField, readonly [Form, Source]][];

/**
 * A function with the given body. V8 reads and builds objects with this many fields several times as fast by code that names each field as
 * by a loop over names, so the code is generated from the table and from nothing else.
 */
export const compiled = <F>(parameters: string, body: string): F => new Function(parameters, body) as F;
