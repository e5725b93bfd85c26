/** What a span does (docs/reference/ingest.md#kinds). Separate from the schemas, so that threads without zod can import it. */
export const semanticKinds = ['function', 'llm', 'tool', 'agent', 'retrieval', 'embedding', 'guardrail'] as const;

export type SemanticKind = (typeof semanticKinds)[number];
