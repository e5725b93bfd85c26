import { isForbiddenKey, plainValue } from '../attributes.ts';
import { isObject, type JsonObject, jsonText, structuredJson } from './json-value.ts';
import type { SpanSources } from './span-sources.ts';
import type { SourcedText } from './tool-definitions.ts';

/** One setting: our name, its attributes, and its names in a sender's JSON of parameters. The first five are the contract's. */
const SETTINGS: readonly [name: string, attributes: readonly string[], parameters: readonly string[]][] = [
  ['temperature', ['gen_ai.request.temperature', 'ai.settings.temperature'], ['temperature']],
  [
    'maxTokens',
    ['gen_ai.request.max_tokens', 'ai.settings.maxTokens', 'ai.settings.maxOutputTokens'],
    ['max_tokens', 'maxTokens', 'max_completion_tokens', 'max_output_tokens', 'maxOutputTokens', 'max_tokens_to_sample'],
  ],
  ['topP', ['gen_ai.request.top_p', 'ai.settings.topP'], ['top_p', 'topP']],
  ['presencePenalty', ['gen_ai.request.presence_penalty', 'ai.settings.presencePenalty'], ['presence_penalty', 'presencePenalty']],
  ['frequencyPenalty', ['gen_ai.request.frequency_penalty', 'ai.settings.frequencyPenalty'], ['frequency_penalty', 'frequencyPenalty']],
  ['topK', ['gen_ai.request.top_k', 'ai.settings.topK'], ['top_k', 'topK']],
  ['seed', ['gen_ai.request.seed', 'ai.settings.seed'], ['seed']],
  ['stopSequences', ['gen_ai.request.stop_sequences', 'ai.settings.stopSequences'], ['stop_sequences', 'stopSequences', 'stop']],
  ['choiceCount', ['gen_ai.request.choice.count'], ['n', 'candidate_count', 'candidateCount']],
  ['reasoning', ['gen_ai.request.reasoning.level'], ['reasoning_effort', 'reasoning', 'thinking', 'thinkingConfig', 'thinking_config']],
  ['toolChoice', ['ai.prompt.toolChoice'], ['tool_choice', 'toolChoice']],
  [
    'responseFormat',
    ['gen_ai.openai.request.response_format', 'gen_ai.output.type'],
    ['response_format', 'responseFormat', 'responseMimeType'],
  ],
  ['stream', ['gen_ai.request.stream'], []],
  ['dimensions', ['gen_ai.embeddings.dimension.count'], ['dimensions']],
  ['encodingFormats', ['gen_ai.request.encoding_formats'], ['encoding_format']],
  ['topDocuments', ['gen_ai.retrieval.top_k'], []],
  ['schema', ['ai.schema'], []],
  ['maxSteps', ['ai.settings.maxSteps'], ['maxSteps']],
  ['maxRetries', ['ai.settings.maxRetries'], ['maxRetries']],
];

/** Sentry renames unknown AI SDK attributes to `vercel.ai.…`. */
const WITH_ALIASES = SETTINGS.map(([name, attributes]) => {
  const renamed = attributes.filter((key) => key.startsWith('ai.')).map((key) => `vercel.${key}`);
  return [name, [...attributes, ...renamed]] as const;
});

const PARAMETER_KEYS = [
  'llm.invocation_parameters',
  'langfuse.observation.model.parameters',
  'gen_ai.request.parameters',
  'embedding.invocation_parameters',
] as const;
/** Bodies whose `config` holds the parameters. */
const CONFIG_KEYS = ['gcp.vertex.agent.llm_request', 'genkit:input'] as const;

/**
 * The settings of a model request, as JSON text `{temperature, maxTokens, …}` (docs/reference/ingest.md#settings-and-props). Only those
 * that were sent.
 */
export function requestSettings(sources: SpanSources): SourcedText | undefined {
  const settings: Record<string, unknown> = {};
  const used: string[] = [];
  const set = (name: string, value: unknown, source: string): void => {
    settings[name] = value;
    if (!used.includes(source)) used.push(source);
  };
  for (const [name, attributes] of WITH_ALIASES) {
    const key = attributes.find((candidate) => isPresent(sources.view.get(candidate)));
    if (key !== undefined) set(name, settingValue(sources, key), key);
  }
  for (const [key, parameters] of parameterObjects(sources)) {
    for (const [name, , aliases] of SETTINGS) {
      const alias = name in settings ? undefined : aliases.find((candidate) => isPresent(parameters[candidate]));
      if (alias !== undefined) set(name, parameters[alias], key);
    }
  }
  return used.length === 0 ? undefined : { source: used.join(', '), text: jsonText(settings) };
}

/** Senders that write everything as text (LiteLLM) write absent values as `None`; a NaN is not a setting. */
function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 'None' || value === 'null') return false;
  return !(isObject(value) && (value['double'] === 'NaN' || Object.keys(value).length === 0));
}

/** Numbers in text are converted to numbers. */
function settingValue(sources: SpanSources, key: string): unknown {
  const structure = sources.structure(key);
  if (structure !== undefined) return structure;
  const text = sources.text(key);
  const number = Number(text);
  return Number.isFinite(number) && text.trim() !== '' && !key.endsWith('toolChoice') ? number : text;
}

function parameterObjects(sources: SpanSources): [string, JsonObject][] {
  const found: [string, JsonObject][] = [];
  for (const key of PARAMETER_KEYS) {
    const value = sources.view.has(key) ? sources.structure(key) : undefined;
    if (isObject(value)) found.push([key, value]);
  }
  for (const key of CONFIG_KEYS) {
    const body = sources.view.has(key) ? sources.structure(key) : undefined;
    const config = isObject(body) ? body['config'] : undefined;
    if (isObject(config)) found.push([key, config]);
  }
  return found;
}

const PROPS_KEYS = [
  'agentmark.props',
  'agentmark.metadata.props',
  'ai.telemetry.metadata.props',
  'llm.prompt_template.variables',
  'traceloop.prompt.template_variables',
] as const;

/** One attribute for each variable: the name follows the prefix. */
const VARIABLE_PREFIX = 'gen_ai.prompt.variable.';

export const PROPS_PATTERNS: readonly string[] = [...PROPS_KEYS, `${VARIABLE_PREFIX}*`];

/** The variables of the template, as JSON text; never taken from an input. */
export function templateProps(sources: SpanSources): SourcedText | undefined {
  for (const key of PROPS_KEYS) {
    const text = sources.text(key);
    const inner = structuredJson(text);
    if (text !== '') return { source: key, text: typeof inner === 'string' ? inner : text };
  }
  const variables = [...sources.view.withPrefix(VARIABLE_PREFIX)].filter(([name]) => name !== '' && !isForbiddenKey(name));
  if (variables.length === 0) return undefined;
  return { source: `${VARIABLE_PREFIX}*`, text: jsonText(Object.fromEntries(variables.map(([name, value]) => [name, plainValue(value)]))) };
}
