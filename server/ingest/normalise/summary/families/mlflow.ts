import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { RawValue } from '../../../otlp/raw-span.ts';
import { type FieldResolver, from, fromJson, type Source } from '../field-resolver.ts';
import { countValue, textValue } from '../values.ts';

/** MLflow. */

const kindsOfMlflow = new Map<string, SemanticKind>([
  ['LLM', 'llm'],
  ['CHAT_MODEL', 'llm'],
  ['CHAIN', 'function'],
  ['AGENT', 'agent'],
  ['TOOL', 'tool'],
  ['RETRIEVER', 'retrieval'],
  ['RERANKER', 'retrieval'],
  ['EMBEDDING', 'embedding'],
  ['PARSER', 'function'],
  ['MEMORY', 'function'],
  ['WORKFLOW', 'function'],
  ['TASK', 'function'],
  ['EVALUATOR', 'function'],
  ['GUARDRAIL', 'guardrail'],
]);

export function kindOfMlflow(type: string): SemanticKind | undefined {
  return kindsOfMlflow.get(type);
}

/** MLflow writes every value as JSON text, so that a plain one is quoted. */
function unquoted(value: RawValue, resolver: FieldResolver): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('"')) return textValue(value);
  const text = resolver.json(value);
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

export function mlflowText(key: string): Source {
  return from(key, unquoted);
}

export function mlflowCount(name: string): Source {
  return fromJson('mlflow.chat.tokenUsage', name, (usage) => countValue(usage[name]));
}
