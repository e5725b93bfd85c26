import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { RawValue } from '../../../otlp/raw-span.ts';
import { type FieldResolver, isRecord } from '../field-resolver.ts';

/** OpenInference. */

const kinds = new Map<string, SemanticKind>([
  ['LLM', 'llm'],
  ['TOOL', 'tool'],
  ['AGENT', 'agent'],
  ['CHAIN', 'function'],
  ['RETRIEVER', 'retrieval'],
  ['RERANKER', 'retrieval'],
  ['EMBEDDING', 'embedding'],
  ['GUARDRAIL', 'guardrail'],
  ['EVALUATOR', 'function'],
  ['PROMPT', 'function'],
]);

export function kindOfOpenInference(kind: string): SemanticKind | undefined {
  return kinds.get(kind.toUpperCase());
}

/** Reads the first of several keys in the JSON attribute `metadata`, where some users put their session. */
export function inMetadata(...names: string[]) {
  return (value: RawValue, resolver: FieldResolver): string | undefined => {
    if (typeof value === 'string' && !names.some((name) => value.includes(name))) return undefined;
    const metadata = resolver.json(value);
    if (!isRecord(metadata)) return undefined;
    for (const name of names) {
      const text = metadata[name];
      if (typeof text === 'string' && text.trim() !== '') return text.trim();
      if (typeof text === 'number') return String(text);
    }
    return undefined;
  };
}
