import type { SpanData } from '../../otlp/raw-span.ts';
import type { AttributeView } from '../attributes.ts';

/**
 * How the payload of a span is read. A `conversation` (model call or agent) has messages, and its free text is one; a `tool` has arguments
 * and a result, which stay values even if they look like messages; the others have values, which are messages only if their form is
 * unambiguous. Only the reading of payloads depends on the role; the kind that is displayed and filtered is in the summary.
 */
export type SpanRole = 'conversation' | 'tool' | 'retrieval' | 'embedding' | 'other';

const KINDS: ReadonlyMap<string, SpanRole> = new Map<string, SpanRole>([
  ...roles('conversation', ['llm', 'agent', 'generation', 'chat', 'chat_model', 'model', 'completion', 'llm_request', 'interaction']),
  ...roles('conversation', ['agent_run', 'model_generation', 'model_step', 'model_inference', 'text_completion', 'generate_content']),
  ...roles('conversation', ['invoke_agent', 'create_agent', 'generate_text', 'stream_text', 'generate_object', 'stream_object']),
  ...roles('conversation', ['generate_live_content']),
  ...roles('conversation', ['responses', 'messages', 'image', 'image_generation', 'speech', 'audio', 'transcription']),
  ...roles('tool', ['tool', 'execute_tool', 'tool_call', 'mcp_tool_call', 'mcp_tool', 'function_tool']),
  ...roles('retrieval', ['search_memory']),
  ...roles('retrieval', ['retrieval', 'retriever', 'reranker', 'rerank', 'rag_action', 'vector_store', 'vectordb']),
  ...roles('embedding', ['embedding', 'embeddings', 'embedder']),
  ...roles('other', ['function', 'guardrail', 'chain', 'evaluator', 'prompt', 'agent_step', 'invoke_workflow', 'parser', 'event', 'span']),
  ...roles('other', ['plan', 'user_input', 'create_memory', 'update_memory', 'upsert_memory', 'delete_memory']),
  ...roles('other', ['workflow_run', 'workflow_step', 'model_chunk', 'processor_run', 'flow', 'flowstep']),
]);

function roles(role: SpanRole, names: string[]): [string, SpanRole][] {
  return names.map((name) => [name, role]);
}

/** Attributes in which instrumentation families send the kind of a span, the most specific first. */
const KIND_KEYS = [
  'agentmark.span.kind',
  'openinference.span.kind',
  'langfuse.observation.type',
  'langsmith.span.kind',
  'langchain.run_type',
  'genkit:metadata:subtype',
  'mastra.span.type',
  'mlflow.spanType',
  'lmnr.span.type',
  'gen_ai.operation.name',
  'traceloop.span.kind',
  'genkit:type',
  'llm.request.type',
] as const;

const VECTOR_STORES = new Set(['pinecone', 'qdrant', 'weaviate', 'milvus', 'chroma', 'chromadb', 'marqo', 'lancedb']);
const MODEL_KEYS = [
  'gen_ai.request.model',
  'gen_ai.response.model',
  'llm.model_name',
  'ai.model.id',
  'gen_ai.input.messages',
  'user_prompt',
  'lk.chat_ctx',
  'lk.response.text',
  'lk.user_transcript',
  'lk.input_text',
] as const;
const TOOL_KEYS = [
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.tool.input',
  'ai.toolCall.name',
  'lk.function_tool.name',
] as const;

export function roleOf(spanData: SpanData, view: AttributeView): SpanRole {
  const operation = view.get('ai.operationId') ?? view.get('vercel.ai.operationId');
  if (typeof operation === 'string') return roleOfAiOperation(operation);
  for (const key of KIND_KEYS) {
    const kind = view.get(key);
    const role = typeof kind === 'string' && kind !== '' ? KINDS.get(normalisedKind(kind)) : undefined;
    if (role !== undefined) return role;
  }
  return roleOfName(spanData.span.name, view) ?? roleOfFields(view);
}

/** OpenInference uses capitals, and MLflow writes JSON text: `"CHAT_MODEL"` with quotes. */
function normalisedKind(kind: string): string {
  return (kind.startsWith('"') && kind.endsWith('"') ? kind.slice(1, -1) : kind).toLowerCase();
}

function roleOfAiOperation(operation: string): SpanRole {
  if (operation.startsWith('ai.toolCall')) return 'tool';
  if (operation.startsWith('ai.embed')) return 'embedding';
  return operation.startsWith('ai.rerank') ? 'retrieval' : 'conversation';
}

/** Claude Code, Pydantic AI, Mastra's first exporter and hand-written GenAI spans are recognised by their names. */
function roleOfName(name: string, view: AttributeView): SpanRole | undefined {
  if (name === 'claude_code.tool' || name.startsWith('execute_tool ') || name === 'running tool') return 'tool';
  if (name === 'claude_code.interaction' || name === 'claude_code.llm_request' || name === 'agent run') return 'conversation';
  if (name.startsWith('chat ') || name.startsWith('invoke_agent ')) return 'conversation';
  if (name.startsWith('agent.generate') || name.startsWith('agent.stream')) return 'conversation';
  if (name.startsWith('embeddings ')) return 'embedding';
  return view.get('mcp.method.name') === 'tools/call' ? 'tool' : undefined;
}

function roleOfFields(view: AttributeView): SpanRole {
  const database = view.get('db.system') ?? view.get('db.system.name');
  if (typeof database === 'string' && VECTOR_STORES.has(database.toLowerCase())) return 'retrieval';
  if (TOOL_KEYS.some((key) => view.has(key))) return 'tool';
  return MODEL_KEYS.some((key) => view.has(key)) ? 'conversation' : 'other';
}
