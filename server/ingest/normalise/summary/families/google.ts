import type { SemanticKind } from '../../../../../shared/contract/tracing/semantic-kinds.ts';
import type { RawValue } from '../../../otlp/raw-span.ts';
import { type FieldResolver, from, fromJson, type Source, valueAt } from '../field-resolver.ts';
import { countValue } from '../values.ts';

/**
 * Genkit and the Agent Development Kit: the usage of a model call is in the JSON of its response,
 * with Gemini's counts: candidates exclude thoughts, and prompt tokens include cached ones.
 */

const kindsOfGenkit = new Map<string, SemanticKind>([
  ['model', 'llm'],
  ['background-model', 'llm'],
  ['tool', 'tool'],
  ['tool.v2', 'tool'],
  ['retriever', 'retrieval'],
  ['reranker', 'retrieval'],
  ['indexer', 'retrieval'],
  ['embedder', 'embedding'],
  ['agent', 'agent'],
  ['flow', 'function'],
  ['flowStep', 'function'],
  ['util', 'function'],
  ['action', 'function'],
]);

/** The subtype is more specific: every model and tool is an `action`. */
export function kindOfGenkit(subtype: string, type: string): SemanticKind | undefined {
  return kindsOfGenkit.get(subtype) ?? kindsOfGenkit.get(type);
}

const kindsOfAdkName: [RegExp, SemanticKind][] = [
  [/^call_llm$/, 'llm'],
  [/^invocation$/, 'function'],
  // Added for parallel tool calls, besides the spans of the tools.
  [/^execute_tool \(merged/, 'function'],
];

export function kindOfAdk(scope: string, name: string): SemanticKind | undefined {
  if (scope !== 'gcp.vertex.agent') return undefined;
  return kindsOfAdkName.find(([pattern]) => pattern.test(name))?.[1];
}

function isGenkitModelCall(resolver: FieldResolver): boolean {
  const subtype = resolver.text('genkit_subtype') || resolver.text('genkit_type');
  return kindsOfGenkit.get(subtype) === 'llm' || subtype === 'embedder';
}

/** `genkit:output` of a model call; utilities and flows repeat it and are not read. */
function inOutput(hint: string, ...paths: string[][]): Source {
  const source = fromJson('genkit:output', hint, (output) => firstCount(output, paths));
  if (typeof source === 'string') return source;
  return from(source.key, (value, resolver) => (isGenkitModelCall(resolver) ? source.read(value, resolver) : undefined));
}

function inResponse(hint: string, ...names: string[]): Source {
  const paths = names.flatMap((name) => [
    ['usage_metadata', name],
    ['usageMetadata', name],
  ]);
  return fromJson('gcp.vertex.agent.llm_response', hint, (response) => firstCount(response, paths));
}

function firstCount(json: Record<string, unknown>, paths: string[][]): number | undefined {
  for (const path of paths) {
    const count = countValue(valueAt(json, ...path));
    if (count !== undefined) return count;
  }
  return undefined;
}

export const genkitUsage = {
  input: inOutput('Token', ['usage', 'inputTokens'], ['custom', 'usageMetadata', 'promptTokenCount']),
  output: inOutput('Token', ['usage', 'outputTokens'], ['custom', 'usageMetadata', 'candidatesTokenCount']),
  total: inOutput('otalToken', ['usage', 'totalTokens'], ['custom', 'usageMetadata', 'totalTokenCount']),
  cacheRead: inOutput('ached', ['usage', 'cachedContentTokens'], ['custom', 'usageMetadata', 'cachedContentTokenCount']),
  reasoning: inOutput('houghtsToken', ['usage', 'thoughtsTokens'], ['custom', 'usageMetadata', 'thoughtsTokenCount']),
};

export const adkUsage = {
  input: inResponse('oken', 'prompt_token_count', 'promptTokenCount'),
  output: inResponse('oken', 'candidates_token_count', 'candidatesTokenCount'),
  total: inResponse('oken', 'total_token_count', 'totalTokenCount'),
  cacheRead: inResponse('ached', 'cached_content_token_count', 'cachedContentTokenCount'),
  reasoning: inResponse('houghts', 'thoughts_token_count', 'thoughtsTokenCount'),
};

export const genkitFinish = fromJson('genkit:output', 'finishReason', (output) => {
  const candidates = output.candidates;
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  return valueAt(first, 'finishReason') ?? output.finishReason;
});

export const adkFinish = fromJson('gcp.vertex.agent.llm_response', 'inish', (response) => {
  const reason = response.finish_reason ?? response.finishReason;
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
});

/** `googleai/gemini-2.5-flash`: plugin, then model. */
function genkitName(value: RawValue, resolver: FieldResolver): string {
  return typeof value === 'string' && isGenkitModelCall(resolver) ? value : '';
}

export const genkitModel = from('genkit:name', (value, resolver) => {
  const name = genkitName(value, resolver);
  return name.slice(name.indexOf('/') + 1) || undefined;
});

export const genkitProvider = from('genkit:name', (value, resolver) => {
  const name = genkitName(value, resolver);
  return name.slice(0, Math.max(0, name.indexOf('/'))) || undefined;
});

export const genkitTool = from('genkit:name', (value, resolver) =>
  typeof value === 'string' && kindOfGenkit(resolver.text('genkit_subtype'), '') === 'tool' ? value : undefined,
);
