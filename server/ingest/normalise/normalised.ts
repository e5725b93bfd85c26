import type { SemanticKind } from '../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanStatus, SpanType } from '../../../shared/contract/tracing/spans.ts';

/** Token counts of one span, by the OpenTelemetry meaning: input includes cache reads and writes, output includes reasoning. Null is unknown. */
export interface Usage {
  input_tokens: number | null;
  output_tokens: number | null;
  total_tokens: number | null;
  cache_read_tokens: number | null;
  cache_write_tokens: number | null;
  reasoning_tokens: number | null;
}

/** One node of the agent graph (docs/reference/ingest.md#agent-graph). */
export interface SpanGraph {
  node_id: string;
  parent_ids: string[];
  node_type: string;
  display_name: string;
}

/**
 * The normalised fields of a span without its payload: everything that lists, filters, roll-ups and trees need.
 * Text fields are '' when absent, so that filters treat absence as empty text (docs/reference/filters.md#meaning).
 */
export interface SpanSummary {
  /** The tool's name for tool executions, otherwise the span name. */
  name: string;
  type: SpanType;
  semantic_kind: SemanticKind;
  /** From OTLP, or from the sender's own error attributes if OTLP has no status (Langfuse level, exception on LangSmith, …). */
  status: SpanStatus;
  status_message: string;
  service_name: string;
  /** Response model before request model. */
  model: string;
  request_model: string;
  provider: string;
  usage: Usage;
  /** The usage repeats that of descendants: it is shown but not added. */
  usage_aggregate: boolean;
  /** US dollars as reported by the sender; null when not reported. */
  reported_cost: number | null;
  session_id: string;
  session_name: string;
  user_id: string;
  trace_name: string;
  prompt_name: string;
  prompt_path: string;
  prompt_version: string;
  environment: string;
  release: string;
  commit_sha: string;
  dataset_run_id: string;
  dataset_run_name: string;
  dataset_path: string;
  dataset_item_name: string;
  experiment_key: string;
  source_tree_hash: string;
  agent_name: string;
  tool_name: string;
  tool_call_id: string;
  finish_reason: string;
  /** Milliseconds from span start to the first token; null when unknown. */
  ttft_ms: number | null;
  tags: string[];
  /** Strings by flat key, without reserved keys (`graph.node.*`, promoted keys). Null prototype. */
  metadata: Record<string, string>;
  graph: SpanGraph | null;
  /** A pending span: it is still running, and the final span replaces it. */
  pending: boolean;
  /** Not shown as a step: the actual span will follow (Logfire pending_span). */
  placeholder: boolean;
  /** Belongs to the runtime of a coding agent, such as reading its settings: lists hide a trace of only such spans. */
  bookkeeping: boolean;
  /** The detected instrumentation family, for a badge: `genai`, `aisdk`, `openinference`, …; '' for none. */
  family: string;
  /** Adjustments made while reading, as messages for developers. */
  warnings: string[];
}

/** The source of each field: an attribute key, an event, or a described rule. Shown as "model ← gen_ai.response.model". */
export type Provenance = Record<string, string>;

export type Part =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string; signature?: string }
  | { type: 'tool-call'; id: string; name: string; args: unknown; providerExecuted?: boolean }
  | { type: 'tool-result'; id: string; name?: string; result: unknown; isError?: boolean }
  | { type: 'media'; mimeType: string; modality: string; base64?: string; url?: string; fileId?: string; name?: string }
  | { type: 'data'; value: unknown };

export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export interface Message {
  role: Role;
  name?: string;
  parts: Part[];
  finish_reason?: string;
}

/** The payload of a span in one form. Built when a span is read and, for previews, when it arrives. */
export interface SpanContent {
  /** JSON text of `[{role, content}]`, or '' (docs/reference/ingest.md#messages). */
  input: string;
  /** Plain text, or the JSON text as received, or ''. */
  output: string;
  /** JSON text when the output is structured; '' otherwise. */
  output_object: string;
  /** JSON text of `[{type:"tool-call",toolCallId,toolName,args,result?}]`, or ''. */
  tool_calls: string;
  /** JSON text of the tools available to the model, or ''. */
  tool_definitions: string;
  /** JSON text of the template variables, or ''. */
  props: string;
  /** JSON text `{temperature,maxTokens,...}`, or ''. */
  settings: string;
  dataset_input: string;
  dataset_expected_output: string;
  /** The messages that the texts above were written from; empty when the payload is not a conversation. */
  input_messages: Message[];
  output_messages: Message[];
}

/** At most 160 characters each: last user text of the input, text (or `tool(args)`) of the output; '' when there is none. */
export interface SpanPreview {
  input: string;
  output: string;
}
