import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: 'ai', ...fields }));
const operation = (id: string, more: Sample['attributes'] = {}) => of({ name: id, attributes: { 'ai.operationId': id, ...more } });

describe('Vercel AI SDK 3 to 6', () => {
  test.each([
    ['ai.generateText', 'llm', 'SPAN', true],
    ['ai.streamText', 'llm', 'SPAN', true],
    ['ai.generateObject', 'llm', 'SPAN', true],
    ['ai.streamObject', 'llm', 'SPAN', true],
    ['ai.generateText.doGenerate', 'llm', 'GENERATION', false],
    ['ai.streamText.doStream', 'llm', 'GENERATION', false],
    ['ai.generateObject.doGenerate', 'llm', 'GENERATION', false],
    ['ai.streamObject.doStream', 'llm', 'GENERATION', false],
    ['ai.embed', 'embedding', 'SPAN', true],
    ['ai.embedMany', 'embedding', 'SPAN', true],
    ['ai.embed.doEmbed', 'embedding', 'SPAN', false],
    ['ai.rerank', 'retrieval', 'SPAN', true],
    ['ai.toolCall', 'tool', 'SPAN', false],
  ])('%s is %s, %s, aggregate: %s', (id, semantic_kind, type, usage_aggregate) => {
    expect(operation(id, { 'ai.usage.promptTokens': 1 })).toMatchObject({ semantic_kind, type, usage_aggregate });
    const named = of({ name: `${id} my-function`, attributes: { 'ai.usage.promptTokens': 1 } });
    expect(named).toMatchObject({ semantic_kind, type, usage_aggregate });
  });

  it('reads the metadata of telemetry, with the usual camel-case keys promoted', () => {
    const summary = operation('ai.generateText', {
      'ai.telemetry.metadata.sessionId': 's',
      'ai.telemetry.metadata.userId': 'u',
      'ai.telemetry.metadata.session_name': 'not shown',
      'ai.telemetry.metadata.retries': 2,
      'ai.telemetry.metadata.beta': true,
      'ai.telemetry.metadata.list': ['a', 'b'],
      'ai.telemetry.metadata.tags': ['x'],
      'ai.settings.context.plan': 'pro',
    });
    expect(summary).toMatchObject({ session_id: 's', user_id: 'u', tags: ['x'], family: 'aisdk' });
    expect(summary.metadata).toMatchObject({ sessionId: 's', userId: 'u', retries: '2', beta: 'true', list: '["a","b"]', plan: 'pro' });
    expect(summary.metadata).not.toHaveProperty('session_name');
  });

  it('names the tool', () => {
    const attributes = { 'ai.toolCall.name': 'getWeather', 'ai.toolCall.id': 'call_1' };
    expect(operation('ai.toolCall', attributes)).toMatchObject({ name: 'getWeather', tool_name: 'getWeather', tool_call_id: 'call_1' });
  });

  it('strips the API from the provider', () => {
    expect(operation('ai.generateText', { 'ai.model.provider': 'openai.responses' }).provider).toBe('openai');
    expect(operation('ai.generateText', { 'ai.model.provider': 'google.generative-ai' }).provider).toBe('google.generative-ai');
  });

  it('prefers the response model', () => {
    expect(operation('ai.streamText.doStream', { 'ai.model.id': 'gpt-4o', 'ai.response.model': 'gpt-4o-2024-08-06' })).toMatchObject({
      model: 'gpt-4o-2024-08-06',
      request_model: 'gpt-4o',
    });
  });

  it('uses the function id as the name of the trace on a root only', () => {
    const attributes = { 'ai.telemetry.functionId': 'weather-agent' };
    expect(of({ attributes, parent_id: null }).trace_name).toBe('weather-agent');
    expect(of({ attributes }).trace_name).toBe('');
  });

  test.each([
    ['4', { 'ai.usage.promptTokens': 40, 'ai.usage.completionTokens': 13 }],
    ['5', { 'ai.usage.inputTokens': 40, 'ai.usage.outputTokens': 13, 'ai.usage.totalTokens': 53 }],
  ])('reads the usage of version %s', (_, attributes) => {
    expect(operation('ai.streamText.doStream', attributes).usage).toMatchObject({ input_tokens: 40, output_tokens: 13, total_tokens: 53 });
  });

  it('reads the token details of version 6, where input includes the cache', () => {
    const { usage } = operation('ai.generateText.doGenerate', {
      'ai.model.provider': 'anthropic.messages',
      'ai.usage.inputTokens': 1221,
      'ai.usage.inputTokenDetails.noCacheTokens': 69,
      'ai.usage.inputTokenDetails.cacheReadTokens': 1024,
      'ai.usage.inputTokenDetails.cacheWriteTokens': 128,
      'ai.usage.outputTokens': 263,
      'ai.usage.outputTokenDetails.reasoningTokens': 200,
      'ai.usage.totalTokens': 1484,
    });
    expect(usage).toEqual({
      input_tokens: 1221,
      output_tokens: 263,
      total_tokens: 1484,
      cache_read_tokens: 1024,
      cache_write_tokens: 128,
      reasoning_tokens: 200,
    });
  });

  test.each([
    ['openai', { openai: { cachedPromptTokens: 1024, reasoningTokens: 7 } }, { cache_read_tokens: 1024, reasoning_tokens: 7 }],
    [
      'bedrock',
      { bedrock: { usage: { cacheReadInputTokens: 5, cacheWriteInputTokens: 6 } } },
      { cache_read_tokens: 5, cache_write_tokens: 6 },
    ],
    [
      'google',
      { google: { usageMetadata: { thoughtsTokenCount: 3, cachedContentTokenCount: 4 } } },
      { reasoning_tokens: 3, cache_read_tokens: 4 },
    ],
    ['none', { openai: null, other: 'text' }, { cache_read_tokens: null, cache_write_tokens: null, reasoning_tokens: null }],
  ])('finds the details that versions 4 and 5 put into the metadata of %s', (_, metadata, usage) => {
    const attributes = { 'ai.usage.promptTokens': 2000, 'ai.response.providerMetadata': JSON.stringify(metadata) };
    expect(operation('ai.generateText.doGenerate', attributes).usage).toMatchObject(usage);
  });

  it('adds the cache that versions 4 and 5 leave out for Anthropic, however small', () => {
    const { usage } = operation('ai.generateText.doGenerate', {
      'ai.model.provider': 'anthropic.messages',
      'ai.usage.promptTokens': 5000,
      'ai.usage.completionTokens': 8,
      'ai.response.providerMetadata': JSON.stringify({ anthropic: { cacheReadInputTokens: 1024, cacheCreationInputTokens: 128 } }),
    });
    expect(usage).toMatchObject({ input_tokens: 6152, cache_read_tokens: 1024, cache_write_tokens: 128, total_tokens: 6160 });
  });

  it('counts the tokens of an embedding as input', () => {
    expect(operation('ai.embed.doEmbed', { 'ai.usage.tokens': 6 }).usage).toMatchObject({
      input_tokens: 6,
      output_tokens: null,
      total_tokens: 6,
    });
  });

  it('reads NaN, which version 4 sends without usage, as unknown', () => {
    const summary = operation('ai.generateText.doGenerate', { 'ai.usage.promptTokens': { double: 'NaN' } });
    expect(summary.usage.input_tokens).toBeNull();
    expect(summary.warnings).toEqual(['ai.usage.promptTokens is not a whole number of tokens: ignored.']);
  });

  it('measures the first chunk', () => {
    expect(operation('ai.streamText.doStream', { 'ai.response.msToFirstChunk': 99.5 }).ttft_ms).toBe(99.5);
    expect(operation('ai.streamObject.doStream', { 'ai.stream.msToFirstChunk': 12 }).ttft_ms).toBe(12);
  });
});

describe('AI SDK 7', () => {
  const seven = (fields: Sample) => summarise(sample({ scope: 'gen_ai', ...fields }));

  it('reads agent, step and call', () => {
    const usage = { 'gen_ai.usage.input_tokens': 95, 'gen_ai.usage.output_tokens': 36 };
    const agent = seven({
      name: 'invoke_agent gpt-4o',
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'w', ...usage },
    });
    expect(agent).toMatchObject({ semantic_kind: 'agent', type: 'SPAN', usage_aggregate: true, agent_name: 'w', family: 'aisdk' });
    const step = seven({ name: 'step 1', attributes: { 'gen_ai.operation.name': 'agent_step', ...usage } });
    expect(step).toMatchObject({ semantic_kind: 'function', type: 'SPAN', usage_aggregate: true });
    const chat = seven({ name: 'chat gpt-4o', attributes: { 'gen_ai.operation.name': 'chat', ...usage } });
    expect(chat).toMatchObject({ semantic_kind: 'llm', type: 'GENERATION', usage_aggregate: false });
  });

  it('distinguishes the two equal embedding spans by their tokens', () => {
    const attributes = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': 'e' };
    expect(seven({ attributes })).toMatchObject({ semantic_kind: 'embedding', type: 'SPAN', usage_aggregate: true });
    const inner = seven({ attributes: { ...attributes, 'gen_ai.usage.input_tokens': 6 } });
    expect(inner).toMatchObject({ semantic_kind: 'embedding', type: 'GENERATION', usage_aggregate: false });
  });

  it('reads the runtime context', () => {
    const attributes = { 'ai.settings.context.sessionId': 's', 'ai.settings.context.userId': 'u', 'ai.settings.context.plan': 'pro' };
    expect(seven({ attributes })).toMatchObject({ session_id: 's', user_id: 'u', metadata: { plan: 'pro' } });
  });

  it('measures the first chunk in seconds', () => {
    expect(seven({ attributes: { 'gen_ai.client.operation.time_to_first_chunk': 0.158 } }).ttft_ms).toBeCloseTo(158);
  });
});
