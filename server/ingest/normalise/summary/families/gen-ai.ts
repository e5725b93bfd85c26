import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { RawValue } from '../../../otlp/raw-span.ts';
import { type FieldResolver, isRecord } from '../field-resolver.ts';
import { textValue } from '../values.ts';

/** OpenTelemetry's GenAI conventions, new and old, which most other families use in part. */

const kindsOfOperation = new Map<string, SemanticKind>([
  ['chat', 'llm'],
  ['text_completion', 'llm'],
  ['completion', 'llm'],
  ['generate_content', 'llm'],
  ['generate_live_content', 'llm'],
  ['generate_text', 'llm'],
  ['generate_object', 'llm'],
  ['stream_text', 'llm'],
  ['stream_object', 'llm'],
  ['messages', 'llm'],
  ['responses', 'llm'],
  ['image', 'llm'],
  ['image_generation', 'llm'],
  ['audio', 'llm'],
  ['speech', 'llm'],
  ['transcription', 'llm'],
  ['embeddings', 'embedding'],
  ['embedding', 'embedding'],
  ['embed', 'embedding'],
  ['embed_many', 'embedding'],
  ['retrieval', 'retrieval'],
  ['retrieve', 'retrieval'],
  ['rerank', 'retrieval'],
  ['vectordb', 'retrieval'],
  ['search_memory', 'retrieval'],
  ['execute_tool', 'tool'],
  ['tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['create_agent', 'agent'],
  ['invoke_workflow', 'agent'],
  ['agent', 'agent'],
  ['guardrail', 'guardrail'],
  ['plan', 'function'],
  ['user_input', 'function'],
  ['create_memory', 'function'],
  ['update_memory', 'function'],
  ['upsert_memory', 'function'],
  ['delete_memory', 'function'],
  ['create_memory_store', 'function'],
  ['delete_memory_store', 'function'],
  ['agent_step', 'function'],
  ['execute_task', 'function'],
  ['framework', 'function'],
  ['handoff', 'function'],
  ['chain', 'function'],
  ['workflow', 'function'],
  ['workflow_step', 'function'],
  ['task', 'function'],
  ['model_chunk', 'function'],
]);

/** Prefixes of span names in the conventions, for senders without an operation. */
const kindsOfNamePrefix: [prefix: string, kind: SemanticKind][] = [
  ['chat ', 'llm'],
  ['text_completion ', 'llm'],
  ['generate_content ', 'llm'],
  ['execute_tool ', 'tool'],
  ['gen_ai.tool.call', 'tool'],
  ['invoke_agent ', 'agent'],
  ['create_agent ', 'agent'],
  ['embeddings ', 'embedding'],
  ['rerank ', 'retrieval'],
  ['retrieval ', 'retrieval'],
  ['search_memory ', 'retrieval'],
];

const kindsOfName = new Map<string, SemanticKind>([
  ['chat', 'llm'],
  ['execute_tool', 'tool'],
  ['invoke_agent', 'agent'],
  ['gen_ai.llm.turn', 'llm'],
  ['gen_ai.session', 'llm'],
  ['gen_ai.conversation', 'agent'],
  ['gen_ai.subagent', 'agent'],
]);

export function kindOfOperation(operation: string): SemanticKind | undefined {
  return kindsOfOperation.get(operation);
}

export function kindOfGenAiName(name: string): SemanticKind | undefined {
  const kind = kindsOfName.get(name);
  return kind ?? kindsOfNamePrefix.find(([prefix]) => name.startsWith(prefix))?.[1];
}

/** The first of several reasons: an array, the same as JSON text (Mastra, Sentry, LiteLLM), or plain text (LangSmith). */
export function firstReason(value: RawValue, resolver: FieldResolver): string | undefined {
  if (Array.isArray(value)) return value.length > 0 && value[0] !== null ? textValue(value[0] as RawValue) : undefined;
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return textValue(value);
  const list = resolver.json(value);
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return typeof first === 'string' && first !== '' ? first : undefined;
}

/** `finish_reason` of the first output message, for senders that have it only there. */
export function reasonOfMessages(value: RawValue, resolver: FieldResolver): string | undefined {
  if (typeof value === 'string' && !value.includes('"finish_reason"')) return undefined;
  const messages = resolver.json(value);
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  const reason = isRecord(first) ? first.finish_reason : undefined;
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}
