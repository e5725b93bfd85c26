import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanData } from '../../../otlp/raw-span.ts';
import { fromJson, type Source, valueAt } from '../field-resolver.ts';
import { countValue } from '../values.ts';

/** LangChain, LangGraph and LangSmith. */

const kinds = new Map<string, SemanticKind>([
  ['llm', 'llm'],
  ['chat_model', 'llm'],
  ['chain', 'function'],
  ['tool', 'tool'],
  ['agent', 'agent'],
  ['retriever', 'retrieval'],
  ['embedding', 'embedding'],
  ['prompt', 'function'],
  ['parser', 'function'],
]);

export function kindOfLangChain(runType: string): SemanticKind | undefined {
  return kinds.get(runType.toLowerCase());
}

/** LangChain's `usage_metadata`: total counts, with their parts under `*_token_details`. */
function inUsage(hint: string, ...path: string[]): Source[] {
  return ['langsmith.usage_metadata', 'langsmith.metadata.usage_metadata'].map((key) =>
    fromJson(key, hint, (usage) => countValue(valueAt(usage, ...path))),
  );
}

function inDetails(key: string, name: string): Source {
  return fromJson(key, name, (details) => countValue(details[name]));
}

export const langsmithUsage = {
  input: inUsage('input_tokens', 'input_tokens'),
  output: inUsage('output_tokens', 'output_tokens'),
  total: inUsage('total_tokens', 'total_tokens'),
  cacheRead: [...inUsage('cache_read', 'input_token_details', 'cache_read'), inDetails('gen_ai.usage.input_token_details', 'cache_read')],
  cacheWrite: [
    ...inUsage('cache_creation', 'input_token_details', 'cache_creation'),
    inDetails('gen_ai.usage.input_token_details', 'cache_creation'),
  ],
  reasoning: [...inUsage('reasoning', 'output_token_details', 'reasoning'), inDetails('gen_ai.usage.output_token_details', 'reasoning')],
};

/** LangSmith sets the status OK before the failure: only the exception event shows it. */
export function failedInLangSmith(spanData: SpanData): boolean {
  return spanData.scope.name === 'langsmith' && spanData.span.events.some((event) => event.name === 'exception');
}
