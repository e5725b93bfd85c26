import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanData } from '../../../otlp/raw-span.ts';
import { fromJson, type Source, valueAt } from '../field-resolver.ts';
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

/** Newer exporters have the provider call below `model_generation`; in older ones that span is the `chat` itself. */
export function isMastraWrapper(type: string, operation: string): boolean {
  return type === 'model_generation' && operation !== 'chat';
}

/** Spans of the old exporter (`default-tracer`) that are one call of a model. */
const OLD_CALLS = ['agent.generate', 'agent.stream', 'agent.generateObject', 'agent.streamObject', 'agent.streamLegacy'];

export function isOldMastraCall(spanData: SpanData): boolean {
  return OLD_CALLS.includes(spanData.span.name) && spanData.scope.name === 'default-tracer';
}

function inResult(...path: string[]): Source[] {
  return OLD_CALLS.map((name) => fromJson(`${name}.result`, '"usage"', (result) => countValue(valueAt(result, 'usage', ...path))));
}

export const oldMastra = {
  input: inResult('promptTokens'),
  output: inResult('completionTokens'),
  total: inResult('totalTokens'),
  model: fromJson('agent.resolveModelConfig.result', 'modelId', (config) => config.modelId),
};

/** Keys of the raw request and response, which Mastra puts into the metadata of a step. */
const PAYLOAD_KEYS = new Set(['headers', 'body', 'modelMetadata']);

export function isMastraPayload(name: string): boolean {
  return PAYLOAD_KEYS.has(name);
}
