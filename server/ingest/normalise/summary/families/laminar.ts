import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';

/** Laminar. `DEFAULT` has no kind. */

const kindsOfLaminar = new Map<string, SemanticKind>([
  ['LLM', 'llm'],
  ['TOOL', 'tool'],
  ['EXECUTOR', 'function'],
  ['EVALUATOR', 'function'],
  ['HUMAN_EVALUATOR', 'function'],
  ['EVALUATION', 'function'],
]);

export function kindOfLaminar(type: string): SemanticKind | undefined {
  return kindsOfLaminar.get(type);
}
