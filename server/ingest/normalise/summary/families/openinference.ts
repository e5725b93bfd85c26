import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { RawValue } from '../../../otlp/raw-span.ts';
import { type Evidence, isRecord } from '../evidence.ts';

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

/** Reads the first of several keys out of the JSON attribute `metadata`, where users put their session when they do not know better. */
export function inMetadata(...names: string[]) {
  return (value: RawValue, evidence: Evidence): string | undefined => {
    if (typeof value === 'string' && !names.some((name) => value.includes(name))) return undefined;
    const metadata = evidence.json(value);
    if (!isRecord(metadata)) return undefined;
    for (const name of names) {
      const text = metadata[name];
      if (typeof text === 'string' && text.trim() !== '') return text.trim();
      if (typeof text === 'number') return String(text);
    }
    return undefined;
  };
}
