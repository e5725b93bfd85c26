/** The parts of a capture's expectation.json that are checked. A document in the corpus explains them. */

/** Texts over 3,000 characters are described instead of repeated. */
export interface LongText {
  $text: { chars: number; utf8_bytes: number; sha256: string; head: string; tail: string };
}

export type Text = string | LongText;

export interface ExpectedCall {
  id?: string;
  name: string;
  arguments: unknown;
}

export interface ExpectedMessage {
  role: string;
  text: Text;
  /** Its text parts, where there are several. */
  parts?: Text[];
  tool_calls?: ExpectedCall[];
  tool_results?: { id?: string; result: unknown }[];
  tool_call_id?: string;
  images?: { mime_type?: string; base64?: string; url?: string }[];
}

export interface ExpectedUsage {
  input?: number | null;
  output?: number | null;
  total?: number | null;
  cached_input?: number | null;
  cache_write?: number | null;
  reasoning?: number | null;
}

export interface ExpectedModelCall {
  provider?: string;
  request_model?: string;
  response_model?: string;
  model?: string;
  model_any_of?: string[];
  tokens?: ExpectedUsage;
  finish_reason?: string;
  time_to_first_token_ms?: number;
  time_to_first_token_note?: string;
  input_messages?: ExpectedMessage[];
  input_messages_on_parent?: ExpectedMessage[];
  input_texts?: string[];
  output?: { text?: Text; tool_calls?: ExpectedCall[]; reasoning_text?: Text };
  tool_calls_on_parent?: ExpectedCall[];
  content_recorded?: boolean;
  cost?: { total?: number };
  tokens_only_in_provider_metadata?: { reasoning?: number };
  prompt?: { name: string; version?: number };
}

export interface ExpectedSpan {
  span_id: string;
  parent_id: string | null;
  name: string;
  otel_kind: string;
  service_name: string | null;
  scope: string;
  start_time_unix_nano: string;
  end_time_unix_nano: string;
  duration_ms: number;
  status: string;
  status_message?: string;
  attribute_count: number;
  attributes?: Record<string, unknown>;
  events?: { name: string; attributes: Record<string, unknown> }[];
  links?: { trace_id: string; span_id: string; attributes: Record<string, unknown> }[];
  exceptions: { type: string | null; message: string }[];
  is_model_call: boolean;
  kind_any_of: string[];
  placeholder?: unknown;
  vendor_error?: { message: string };
  session_id?: string;
  session_name?: string;
  user_id?: string;
  tags?: string[];
  metadata?: Record<string, unknown>;
  trace_name?: string;
  prompt_name?: string;
  prompt_path?: string;
  experiment_key?: string;
  source_tree_hash?: string;
  agent?: { name: string };
  dataset?: Record<string, string>;
  documents?: { id?: string; content: string; score?: number; metadata?: string }[];
  guardrail?: { name: string };
  aggregate_usage?: ExpectedUsage;
  llm?: ExpectedModelCall;
  tool?: { name: string; call_id?: string; arguments?: unknown; arguments_unwrapped?: unknown; result?: unknown };
  input?: Text;
  output?: Text;
  input_messages?: ExpectedMessage[];
  output_tool_calls?: ExpectedCall[];
  /** What the provider really answered. */
  truth?: { output_text?: Text; tool_calls?: { id?: string; name: string; args: unknown }[] };
  input_tokens_note?: string;
  output_tokens_note?: string;
}

export interface ExpectedNode {
  span_id: string;
  name: string;
  children: ExpectedNode[];
}

export interface ExpectedTrace {
  trace_id: string;
  span_count: number;
  start_time_unix_nano: string;
  end_time_unix_nano: string;
  root: { span_id: string; name: string; status: string } | null;
  top_level: { span_id: string; missing_parent_id: string | null }[];
  service_names: (string | null)[];
  error_spans: number;
  vendor_error_spans: string[];
  model_calls: number;
  session_id: string | null;
  user_id: string | null;
  tags: string[] | null;
  metadata: Record<string, unknown> | null;
  trace_name: string | null;
  models: string[];
  tokens_over_model_calls: ExpectedUsage;
  tree: ExpectedNode[];
  spans: ExpectedSpan[];
}

/** One prompt to a coding agent and its results, from spans or log records. */
export interface ExpectedTurn {
  /** Null where no span reports it: then the gateway makes the trace. */
  trace_id: string | null;
  session_id: string;
  started_at_unix_nano: string;
  ends_at_least_unix_nano?: string;
  /** Null: not recorded, or not exported. */
  prompt: string | null;
  reply: string | null;
  model_any_of?: string[];
  model_calls?: { model_any_of: string[]; input_tokens: number; output_tokens: number; cost_usd: number; duration_ms: number }[];
  tokens?: { input: number; output: number };
  cost_usd?: number;
  tool_calls: { name: string; call_id?: string; arguments?: unknown; success?: boolean; result?: unknown; duration_ms?: number }[];
}

export interface Expectation {
  capture: string;
  family: string;
  turns?: ExpectedTurn[];
  session_traces?: { session_id: string; traces: number; plus_any_of?: string[] }[];
  /** Traces of the agent's own runtime. */
  quiet_list?: { absent: string[] };
  /** Where nearly all spans are bookkeeping: those that are checked one by one. */
  key_spans?: string[];
  counts: { unique_spans: number; traces: number; sessions: number };
  wire: { requests: { file: string; headers: string }[] };
  traces: ExpectedTrace[];
}
