import { type SemanticKind, semanticKinds } from '../../../../shared/contract/tracing/semantic-kinds.ts';
import type { Evidence } from './evidence.ts';
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
import type { Sign } from './fields.ts';

/**
 * What a span is (docs/reference/ingest.md#kinds): what its sender says outright, family by family, then the operation, then agreed
 * names, then weaker signs. Never guessed from loose words in a name, nor from tool calls, which a generation has.
 */

type Rule = (value: string, evidence: Evidence) => SemanticKind | undefined;

const kinds = new Set<string>(semanticKinds);

function agentmarkKind(value: string): SemanticKind | undefined {
  return kinds.has(value) ? (value as SemanticKind) : undefined;
}

const saidOutright: [sign: Sign, rule: Rule][] = [
  ['agentmark_kind', agentmarkKind],
  ['openinference_kind', kindOfOpenInference],
  ['ai_operation', kindOfAiOperation],
  ['traceloop_kind', kindOfTraceloop],
  ['langchain_run_type', kindOfLangChain],
  ['langsmith_kind', kindOfLangChain],
  ['langfuse_type', kindOfLangfuse],
  ['mastra_type', kindOfMastra],
  ['genkit_type', (type, evidence) => kindOfGenkit(evidence.text('genkit_subtype'), type)],
  ['mlflow_type', kindOfMlflow],
  ['laminar_type', kindOfLaminar],
  ['braintrust_type', kindOfBraintrust],
];

const impliedBySign: [sign: Sign, rule: Rule][] = [
  ['vector_store', () => 'retrieval'],
  ['tool_mark', () => 'tool'],
  ['guardrail', () => 'guardrail'],
  ['mcp_method', (method) => (method === 'tools/call' ? 'tool' : 'function')],
];

function bySigns(rules: [Sign, Rule][], evidence: Evidence): SemanticKind | undefined {
  for (const [sign, rule] of rules) {
    const value = evidence.text(sign);
    const kind = value === '' ? undefined : rule(value, evidence);
    if (kind === undefined) continue;
    evidence.because('semantic_kind', evidence.winner(sign));
    return kind;
  }
  return undefined;
}

/** Names that one sender gives its spans, in its own scope. They come before the operation, which says less. */
function byOwnName(evidence: Evidence): SemanticKind | undefined {
  const { span, scope } = evidence.sent;
  const logfire = evidence.text('logfire_type');
  if (isLogfireLog(logfire) || isLogfirePlaceholder(logfire)) return 'function';
  if (isOldMastraCall(evidence.sent)) return 'llm';
  return kindOfClaudeCode(span.name) ?? kindOfAdk(scope.name, span.name) ?? kindOfPydantic(span.name, evidence.text('tool_name'));
}

/** Whether the span itself says what a call of a model consumed. */
export function reportsUsage(evidence: Evidence): boolean {
  return evidence.number('input_tokens') !== null || evidence.number('output_tokens') !== null || evidence.number('total_tokens') !== null;
}

export function kindOf(evidence: Evidence): SemanticKind {
  const outright = bySigns(saidOutright, evidence);
  if (outright !== undefined) return outright;
  const { name } = evidence.sent.span;
  const ownName = kindOfCodex(evidence.sent) ?? byOwnName(evidence) ?? kindOfAiOperation(aiOperation('', name));
  if (ownName !== undefined) return named(ownName, evidence);
  const operation = bySigns([['operation', kindOfOperation]], evidence);
  if (operation !== undefined) return operation;
  const agreedName = kindOfGenAiName(name);
  if (agreedName !== undefined) return named(agreedName, evidence);
  const implied = bySigns(impliedBySign, evidence);
  if (implied !== undefined) return implied;
  return byConsumption(evidence);
}

function named(kind: SemanticKind, evidence: Evidence): SemanticKind {
  evidence.because('semantic_kind', 'span name');
  return kind;
}

function byConsumption(evidence: Evidence): SemanticKind {
  if (reportsUsage(evidence)) {
    evidence.because('semantic_kind', 'it reports tokens');
    return 'llm';
  }
  if (evidence.text('own_model') !== '') {
    evidence.because('semantic_kind', evidence.winner('own_model'));
    return 'llm';
  }
  evidence.because('semantic_kind', 'nothing says otherwise');
  return 'function';
}
