import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import { fromJson, type Source, valueAt } from '../field-resolver.ts';
import { amountValue, countValue } from '../values.ts';

/** Vercel AI SDK 3 to 6, and 7 in its legacy form. An outer span per call by the user, an inner one per call of a provider. */

const MODEL_CALLS = new Set([
  'ai.generateText.doGenerate',
  'ai.streamText.doStream',
  'ai.generateObject.doGenerate',
  'ai.streamObject.doStream',
]);

/** `ai.operationId`, or the span name without the function id after it. '' for other spans. */
export function aiOperation(operationId: string, name: string): string {
  if (operationId.startsWith('ai.')) return operationId;
  if (!name.startsWith('ai.')) return '';
  const space = name.indexOf(' ');
  return space === -1 ? name : name.slice(0, space);
}

export function kindOfAiOperation(operation: string): SemanticKind | undefined {
  if (operation === '') return undefined;
  if (operation === 'ai.toolCall') return 'tool';
  if (operation.startsWith('ai.embed')) return 'embedding';
  if (operation.startsWith('ai.rerank')) return 'retrieval';
  return /^ai\.(?:generate|stream|transcribe)/.test(operation) ? 'llm' : undefined;
}

export function isAiModelCall(operation: string): boolean {
  return MODEL_CALLS.has(operation);
}

/** Outer spans repeat the usage of the inner ones: that of the last step in version 4, the sum in later versions. */
export function isAiWrapper(operation: string): boolean {
  return operation !== '' && operation !== 'ai.toolCall' && !/\.do[A-Z]/.test(operation);
}

type Path = readonly string[];

const cacheReadPaths: Path[] = [
  ['cachedPromptTokens'],
  ['usage', 'cache_read_input_tokens'],
  ['cacheReadInputTokens'],
  ['usage', 'cacheReadInputTokens'],
  ['usageMetadata', 'cachedContentTokenCount'],
  ['promptCacheHitTokens'],
  ['usage', 'promptTokensDetails', 'cachedTokens'],
];

const cacheWritePaths: Path[] = [
  ['usage', 'cache_creation_input_tokens'],
  ['cacheCreationInputTokens'],
  ['usage', 'cacheWriteInputTokens'],
];

const reasoningPaths: Path[] = [
  ['reasoningTokens'],
  ['usage', 'completionTokensDetails', 'reasoningTokens'],
  ['usageMetadata', 'thoughtsTokenCount'],
];

const costPaths: Path[] = [['usage', 'cost'], ['cost']];

/** `{provider: {...}}`: the number under the first path that any of the providers has. */
function acrossProviders<T>(paths: Path[], read: (value: unknown) => T | undefined) {
  return (metadata: Record<string, unknown>): T | undefined => {
    for (const provider of Object.values(metadata)) {
      for (const path of paths) {
        const value = read(valueAt(provider, ...path));
        if (value !== undefined) return value;
      }
    }
    return undefined;
  };
}

function inProviderMetadata(hint: string, read: (metadata: Record<string, unknown>) => unknown): Source[] {
  return ['ai.response.providerMetadata', 'vercel.ai.response.providerMetadata'].map((key) => fromJson(key, hint, read));
}

/** Versions 4 and 5 send these only in the metadata of the provider, under names of the provider. */
export const providerMetadata = {
  cacheRead: inProviderMetadata('ache', acrossProviders(cacheReadPaths, countValue)),
  cacheWrite: inProviderMetadata('ache', acrossProviders(cacheWritePaths, countValue)),
  reasoning: inProviderMetadata('Token', acrossProviders(reasoningPaths, countValue)),
  /** OpenRouter and the Vercel gateway report the billed cost. */
  cost: inProviderMetadata('"cost"', acrossProviders(costPaths, amountValue)),
};
