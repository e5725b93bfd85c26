import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SentSpan } from '../../../otlp/raw-span.ts';
import { dig, inside, type Source } from '../evidence.ts';
import { countValue } from '../values.ts';

/** Mastra, both exporters. */

const kinds = new Map<string, SemanticKind>([
  ['agent_run', 'agent'],
  ['workflow_run', 'function'],
  ['model_inference', 'llm'],
  ['model_generation', 'llm'],
  ['tool_call', 'tool'],
  ['mcp_tool_call', 'tool'],
  ['rag_embedding', 'embedding'],
  ['rag_retrieval', 'retrieval'],
]);

export function kindOfMastra(type: string): SemanticKind | undefined {
  return type === '' ? undefined : (kinds.get(type) ?? 'function');
}

/** Newer exporters put the provider's call below `model_generation`; in older ones that span is itself the `chat`. */
export function isMastraWrapper(type: string, operation: string): boolean {
  return type === 'model_generation' && operation !== 'chat';
}

/** Spans of the old exporter (`default-tracer`) that are one call of a model. */
const OLD_CALLS = ['agent.generate', 'agent.stream', 'agent.generateObject', 'agent.streamObject', 'agent.streamLegacy'];

export function isOldMastraCall(sent: SentSpan): boolean {
  return OLD_CALLS.includes(sent.span.name) && sent.scope.name === 'default-tracer';
}

function inResult(...path: string[]): Source[] {
  return OLD_CALLS.map((name) => inside(`${name}.result`, '"usage"', (result) => countValue(dig(result, 'usage', ...path))));
}

export const oldMastra = {
  input: inResult('promptTokens'),
  output: inResult('completionTokens'),
  total: inResult('totalTokens'),
  model: inside('agent.resolveModelConfig.result', 'modelId', (config) => config.modelId),
};

/** The raw request and answer travel in the metadata of a step; they are no one's metadata. */
const PAYLOAD_KEYS = new Set(['headers', 'body', 'modelMetadata']);

export function isMastraPayload(name: string): boolean {
  return PAYLOAD_KEYS.has(name);
}
