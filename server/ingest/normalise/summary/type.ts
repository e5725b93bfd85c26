import type { SemanticKind } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanType } from '../../../../shared/contract/tracing/spans.ts';
import { aiOperation, isAiModelCall, isAiWrapper } from './families/ai-sdk.ts';
import { isCodexTurn } from './families/codex.ts';
import { kindOfOperation } from './families/gen-ai.ts';
import { isMastraWrapper } from './families/mastra.ts';
import { isLogfireLog, isLogfirePlaceholder } from './families/pydantic-ai.ts';
import type { FieldResolver } from './field-resolver.ts';
import { reportsUsage } from './kind.ts';

/** Distinguishes spans that are a call of a provider from those that repeat the usage of calls below them (docs/reference/ingest.md#types). */

/** Operations that are always a GENERATION. */
const GENERATION_OPERATIONS = new Set(['chat', 'text_completion']);

/**
 * Whether the usage of a span repeats that of its descendants. Independent of actual usage: true for an agent even if it reports none,
 * and for the outer of the two equal `embeddings` spans of the AI SDK 7, which differ only in that the outer one has no tokens.
 */
export function isWrapper(resolver: FieldResolver, kind: SemanticKind): boolean {
  const { spanData } = resolver;
  const operation = resolver.text('operation');
  if (isCodexTurn(spanData)) return false;
  if (kind === 'agent') return true;
  if (isAiWrapper(aiOperation(resolver.text('ai_operation'), spanData.span.name))) return true;
  if (isMastraWrapper(resolver.text('mastra_type'), operation)) return true;
  if (kind === 'function') {
    if (resolver.text('genkit_type') !== '') return true;
    return kindOfOperation(operation) !== 'llm' && reportsUsage(resolver);
  }
  return operation === 'embeddings' && spanData.scope.name === 'gen_ai' && !reportsUsage(resolver);
}

export function typeOf(resolver: FieldResolver, kind: SemanticKind, wrapper: boolean): SpanType {
  const logfire = resolver.text('logfire_type');
  if (isLogfirePlaceholder(logfire)) return withSource(resolver, 'SPAN', 'logfire.span_type');
  if (isLogfireLog(logfire)) return withSource(resolver, 'EVENT', 'logfire.span_type');
  if (resolver.text('langfuse_type') === 'event') return withSource(resolver, 'EVENT', 'langfuse.observation.type');
  if (wrapper) return withSource(resolver, 'SPAN', 'wrapper of the calls below it');
  const ai = aiOperation(resolver.text('ai_operation'), resolver.spanData.span.name);
  if (ai !== '') return withSource(resolver, isAiModelCall(ai) ? 'GENERATION' : 'SPAN', 'ai.operationId');
  if (GENERATION_OPERATIONS.has(resolver.text('operation'))) {
    return withSource(resolver, 'GENERATION', resolver.sourceOf('operation'));
  }
  if (kind === 'llm') return withSource(resolver, 'GENERATION', 'model call');
  if (kind === 'embedding' && (resolver.text('operation') === 'embeddings' || reportsUsage(resolver))) {
    return withSource(resolver, 'GENERATION', 'embedding call');
  }
  return withSource(resolver, 'SPAN', 'no model call');
}

function withSource(resolver: FieldResolver, type: SpanType, reason: string): SpanType {
  resolver.noteSource('type', reason);
  return type;
}
