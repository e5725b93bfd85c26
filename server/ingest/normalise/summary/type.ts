import type { SemanticKind } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import type { SpanType } from '../../../../shared/contract/tracing/spans.ts';
import type { Evidence } from './evidence.ts';
import { aiOperation, isAiModelCall, isAiWrapper } from './families/ai-sdk.ts';
import { isCodexTurn } from './families/codex.ts';
import { kindOfOperation } from './families/gen-ai.ts';
import { isMastraWrapper } from './families/mastra.ts';
import { isLogfireLog, isLogfirePlaceholder } from './families/pydantic-ai.ts';
import { reportsUsage } from './kind.ts';

/** Which spans are one call of a provider, and which only repeat what the calls below them report (docs/reference/ingest.md#types). */

/** Operations that are a GENERATION whatever else the span says. */
const GENERATION_OPERATIONS = new Set(['chat', 'text_completion']);

/**
 * Usage of such a span is its descendants' usage once more. Structural: true for an agent even when it reports none,
 * and for the outer one of the two equal `embeddings` spans of the AI SDK 7, which only its lack of tokens tells apart.
 */
export function isWrapper(evidence: Evidence, kind: SemanticKind): boolean {
  const { sent } = evidence;
  const operation = evidence.text('operation');
  if (isCodexTurn(sent)) return false;
  if (kind === 'agent') return true;
  if (isAiWrapper(aiOperation(evidence.text('ai_operation'), sent.span.name))) return true;
  if (isMastraWrapper(evidence.text('mastra_type'), operation)) return true;
  if (kind === 'function') {
    if (evidence.text('genkit_type') !== '') return true;
    return kindOfOperation(operation) !== 'llm' && reportsUsage(evidence);
  }
  return operation === 'embeddings' && sent.scope.name === 'gen_ai' && !reportsUsage(evidence);
}

export function typeOf(evidence: Evidence, kind: SemanticKind, wrapper: boolean): SpanType {
  const logfire = evidence.text('logfire_type');
  if (isLogfirePlaceholder(logfire)) return because(evidence, 'SPAN', 'logfire.span_type');
  if (isLogfireLog(logfire)) return because(evidence, 'EVENT', 'logfire.span_type');
  if (evidence.text('langfuse_type') === 'event') return because(evidence, 'EVENT', 'langfuse.observation.type');
  if (wrapper) return because(evidence, 'SPAN', 'it stands around the calls below it');
  const ai = aiOperation(evidence.text('ai_operation'), evidence.sent.span.name);
  if (ai !== '') return because(evidence, isAiModelCall(ai) ? 'GENERATION' : 'SPAN', 'ai.operationId');
  if (GENERATION_OPERATIONS.has(evidence.text('operation'))) {
    return because(evidence, 'GENERATION', evidence.winner('operation'));
  }
  if (kind === 'llm') return because(evidence, 'GENERATION', 'it is a call of a model');
  if (kind === 'embedding' && (evidence.text('operation') === 'embeddings' || reportsUsage(evidence))) {
    return because(evidence, 'GENERATION', 'it is a call of an embedding model');
  }
  return because(evidence, 'SPAN', 'it is no call of a model');
}

function because(evidence: Evidence, type: SpanType, reason: string): SpanType {
  evidence.because('type', reason);
  return type;
}
