/** What a span does (spec, filter values of `semantic_kind`). Apart from the schemas, so that threads without zod can read it. */
export const semanticKinds = ['function', 'llm', 'tool', 'agent', 'retrieval', 'embedding', 'guardrail'] as const;

export type SemanticKind = (typeof semanticKinds)[number];
