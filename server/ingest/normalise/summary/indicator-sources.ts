import type { RawValue } from '../../otlp/raw-span.ts';
import { braintrustType } from './families/braintrust.ts';
import { claudeFailure, claudeText } from './families/claude-code.ts';
import { mlflowText } from './families/mlflow.ts';
import { from, type Source } from './field-resolver.ts';
import type { Indicator } from './fields.ts';

/** Sources of the indicators that classify a span. The first usable source wins. */

/** The value, if it means failure. */
function failureValue(key: string): Source {
  return from(key, (value: RawValue) =>
    value === true || (typeof value === 'string' && value.toLowerCase() === 'error') ? `${key}=${value}` : undefined,
  );
}

/** Sentry sends an operation for every span; those of GenAI spans have a common prefix. */
function sentryOperation(value: RawValue): string | undefined {
  return typeof value === 'string' && value.startsWith('gen_ai.') ? value.slice('gen_ai.'.length) : undefined;
}

export const indicatorSources = {
  operation: ['gen_ai.operation.name', 'llm.request.type', from('sentry.op', sentryOperation)],
  agentmark_kind: ['agentmark.span.kind'],
  openinference_kind: ['openinference.span.kind'],
  ai_operation: ['ai.operationId', 'vercel.ai.operationId'],
  traceloop_kind: ['traceloop.span.kind'],
  langchain_run_type: ['langchain.run_type'],
  langsmith_kind: ['langsmith.span.kind'],
  langfuse_type: ['langfuse.observation.type'],
  mastra_type: ['mastra.span.type'],
  genkit_type: ['genkit:type'],
  genkit_subtype: ['genkit:metadata:subtype'],
  mlflow_type: [mlflowText('mlflow.spanType')],
  // A call that the debugger answered from its cache has its original type.
  laminar_type: ['lmnr.span.original_type', 'lmnr.span.type'],
  braintrust_type: [braintrustType],
  logfire_type: ['logfire.span_type'],
  vector_store: [from('db.system', vectorStore), from('db.system.name', vectorStore)],
  mcp_method: ['mcp.method.name'],
  tool_mark: ['ai.toolCall.name', 'lk.function_tool.name'],
  guardrail: ['guardrail_name', 'guard.verdict'],
  error_level: ['langfuse.observation.level'],
  error_mark: [
    failureValue('genkit:state'),
    failureValue('tool.status'),
    failureValue('gen_ai.tool.status'),
    failureValue('lk.function_tool.is_error'),
    claudeFailure,
  ],
  error_text: ['langfuse.observation.status_message', 'error.message', 'exception.message', claudeText('error')],
  error_type: ['error.type', 'exception.type'],
  no_cache_tokens: ['ai.usage.inputTokenDetails.noCacheTokens'],
  sentry_origin: ['sentry.origin'],
  node_id: ['graph.node.id'],
  node_name: ['graph.node.name'],
  node_parent: ['graph.node.parent_id'],
  node_type: ['graph.node.type'],
  own_model: [
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.response.model_name',
    'llm.request.model_name',
    'llm.model_name',
    'ai.model.id',
    claudeText('model'),
  ],
} satisfies Record<Indicator, Source[]>;

/** Vector databases: a call of one is a retrieval. */
const VECTOR_STORES = new Set(['pinecone', 'qdrant', 'weaviate', 'milvus', 'chroma', 'chromadb', 'marqo', 'lancedb']);

/** The name of a vector database; undefined for other databases. */
export function vectorStore(value: RawValue): string | undefined {
  return typeof value === 'string' && VECTOR_STORES.has(value.toLowerCase()) ? value : undefined;
}
