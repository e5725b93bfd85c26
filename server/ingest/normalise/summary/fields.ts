/** The fields of the source tables. The order has no meaning; precedence is defined in the tables. */

/** Text fields of a summary that come from one attribute. '' when no source has a value. */
export const textFields = [
  'request_model',
  'model',
  'provider',
  'session_id',
  'session_name',
  'user_id',
  'trace_name',
  'prompt_name',
  'prompt_path',
  'prompt_version',
  'environment',
  'release',
  'commit_sha',
  'dataset_run_id',
  'dataset_run_name',
  'dataset_path',
  'dataset_item_name',
  'experiment_key',
  'source_tree_hash',
  'agent_name',
  'tool_name',
  'tool_call_id',
  'finish_reason',
] as const;

/** Whole numbers of tokens. */
export const countFields = [
  'input_tokens',
  'output_tokens',
  'total_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
] as const;

/** Non-negative numbers: US dollars, and milliseconds for `ttft_ms`. */
export const amountFields = ['reported_cost', 'prompt_cost', 'completion_cost', 'ttft_ms'] as const;

/** Not part of a summary themselves: they determine kind, type, status, family and graph. */
export const indicators = [
  'operation',
  'agentmark_kind',
  'openinference_kind',
  'ai_operation',
  'traceloop_kind',
  'langchain_run_type',
  'langsmith_kind',
  'langfuse_type',
  'mastra_type',
  'genkit_type',
  'genkit_subtype',
  'mlflow_type',
  'laminar_type',
  'braintrust_type',
  'logfire_type',
  'vector_store',
  'mcp_method',
  'tool_mark',
  'guardrail',
  'error_level',
  'error_mark',
  'error_text',
  'error_type',
  'no_cache_tokens',
  'sentry_origin',
  'node_id',
  'node_name',
  'node_parent',
  'node_type',
  'own_model',
] as const;

export type TextField = (typeof textFields)[number];
export type CountField = (typeof countFields)[number];
export type AmountField = (typeof amountFields)[number];
export type Indicator = (typeof indicators)[number];
export type Field = TextField | CountField | AmountField | Indicator;
