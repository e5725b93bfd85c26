import { type SemanticKind, semanticKinds } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import { aiOperation, kindOfAiOperation } from './families/ai-sdk.ts';
import { kindOfBraintrust } from './families/braintrust.ts';
import { kindOfClaudeCode } from './families/claude-code.ts';
import { kindOfCodex } from './families/codex.ts';
import { kindOfGenAiName, kindOfOperation } from './families/gen-ai.ts';
import { kindOfAdk, kindOfGenkit } from './families/google.ts';
import { kindOfLaminar } from './families/laminar.ts';
import { kindOfLangfuse } from './families/langfuse.ts';
import { kindOfLangChain } from './families/langsmith.ts';
import { isOldMastraCall, kindOfMastra } from './families/mastra.ts';
import { kindOfMlflow } from './families/mlflow.ts';
import { kindOfOpenInference } from './families/openinference.ts';
import { isLogfireLog, isLogfirePlaceholder, kindOfPydantic } from './families/pydantic-ai.ts';
import { kindOfTraceloop } from './families/traceloop.ts';
import type { FieldResolver } from './field-resolver.ts';
import type { Indicator } from './fields.ts';

/**
 * The semantic kind of a span (docs/reference/ingest.md#kinds): from explicit kinds, family by family, then the operation, then
 * conventional names, then weaker indicators. Never from single words in a name, nor from tool calls, which generations have too.
 */

type Rule = (value: string, resolver: FieldResolver) => SemanticKind | undefined;

const kinds = new Set<string>(semanticKinds);

function agentmarkKind(value: string): SemanticKind | undefined {
  return kinds.has(value) ? (value as SemanticKind) : undefined;
}

const explicitKinds: [indicator: Indicator, rule: Rule][] = [
  ['agentmark_kind', agentmarkKind],
  ['openinference_kind', kindOfOpenInference],
  ['ai_operation', kindOfAiOperation],
  ['traceloop_kind', kindOfTraceloop],
  ['langchain_run_type', kindOfLangChain],
  ['langsmith_kind', kindOfLangChain],
  ['langfuse_type', kindOfLangfuse],
  ['mastra_type', kindOfMastra],
  ['genkit_type', (type, resolver) => kindOfGenkit(resolver.text('genkit_subtype'), type)],
  ['mlflow_type', kindOfMlflow],
  ['laminar_type', kindOfLaminar],
  ['braintrust_type', kindOfBraintrust],
];

const impliedKinds: [indicator: Indicator, rule: Rule][] = [
  ['vector_store', () => 'retrieval'],
  ['tool_mark', () => 'tool'],
  ['guardrail', () => 'guardrail'],
  ['mcp_method', (method) => (method === 'tools/call' ? 'tool' : 'function')],
];

function kindByIndicators(rules: [Indicator, Rule][], resolver: FieldResolver): SemanticKind | undefined {
  for (const [indicator, rule] of rules) {
    const value = resolver.text(indicator);
    const kind = value === '' ? undefined : rule(value, resolver);
    if (kind === undefined) continue;
    resolver.noteSource('semantic_kind', resolver.sourceOf(indicator));
    return kind;
  }
  return undefined;
}

/** Span names of one family, in its own scope. They precede the operation, which is less specific. */
function kindByFamilyName(resolver: FieldResolver): SemanticKind | undefined {
  const { span, scope } = resolver.spanData;
  const logfire = resolver.text('logfire_type');
  if (isLogfireLog(logfire) || isLogfirePlaceholder(logfire)) return 'function';
  if (isOldMastraCall(resolver.spanData)) return 'llm';
  return kindOfClaudeCode(span.name) ?? kindOfAdk(scope.name, span.name) ?? kindOfPydantic(span.name, resolver.text('tool_name'));
}

/** Whether the span itself reports the tokens of a model call. */
export function reportsUsage(resolver: FieldResolver): boolean {
  return resolver.number('input_tokens') !== null || resolver.number('output_tokens') !== null || resolver.number('total_tokens') !== null;
}

export function kindOf(resolver: FieldResolver): SemanticKind {
  const explicit = kindByIndicators(explicitKinds, resolver);
  if (explicit !== undefined) return explicit;
  const { name } = resolver.spanData.span;
  const familyKind = kindOfCodex(resolver.spanData) ?? kindByFamilyName(resolver) ?? kindOfAiOperation(aiOperation('', name));
  if (familyKind !== undefined) return withNameAsSource(familyKind, resolver);
  const operation = kindByIndicators([['operation', kindOfOperation]], resolver);
  if (operation !== undefined) return operation;
  const nameKind = kindOfGenAiName(name);
  if (nameKind !== undefined) return withNameAsSource(nameKind, resolver);
  const implied = kindByIndicators(impliedKinds, resolver);
  if (implied !== undefined) return implied;
  return kindByUsage(resolver);
}

function withNameAsSource(kind: SemanticKind, resolver: FieldResolver): SemanticKind {
  resolver.noteSource('semantic_kind', 'span name');
  return kind;
}

function kindByUsage(resolver: FieldResolver): SemanticKind {
  if (reportsUsage(resolver)) {
    resolver.noteSource('semantic_kind', 'reported tokens');
    return 'llm';
  }
  if (resolver.text('own_model') !== '') {
    resolver.noteSource('semantic_kind', resolver.sourceOf('own_model'));
    return 'llm';
  }
  resolver.noteSource('semantic_kind', 'default');
  return 'function';
}
