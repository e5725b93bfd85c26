import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const adk = (fields: Sample) => summarise(sample({ scope: 'gcp.vertex.agent', ...fields }));
const genkit = (attributes: Sample['attributes'], name = 'x') =>
  summarise(sample({ scope: 'genkit-tracer', name, attributes: attributes ?? {} }));

describe('Agent Development Kit', () => {
  test.each([
    ['invocation', {}, 'function'],
    ['invoke_agent weather', { 'gen_ai.operation.name': 'invoke_agent' }, 'agent'],
    ['call_llm', { 'gen_ai.request.model': 'gemini' }, 'llm'],
    ['generate_content gemini', { 'gen_ai.operation.name': 'generate_content' }, 'llm'],
    ['execute_tool search', { 'gen_ai.operation.name': 'execute_tool' }, 'tool'],
    ['execute_tool (merged)', { 'gen_ai.operation.name': 'execute_tool' }, 'function'],
  ])('%s is %s', (name, attributes, semantic_kind) => {
    expect(adk({ name, attributes })).toMatchObject({ semantic_kind, family: 'adk', service_name: '' });
  });

  test.each([
    {
      prompt_token_count: 100,
      candidates_token_count: 20,
      thoughts_token_count: 30,
      cached_content_token_count: 40,
      total_token_count: 150,
    },
    { promptTokenCount: 100, candidatesTokenCount: 20, thoughtsTokenCount: 30, cachedContentTokenCount: 40, totalTokenCount: 150 },
  ])('reads usage from the response: %j', (counts) => {
    const key = 'prompt_token_count' in counts ? 'usage_metadata' : 'usageMetadata';
    const response = JSON.stringify({ content: { parts: [] }, finish_reason: 'STOP', [key]: counts });
    const summary = adk({
      name: 'call_llm',
      attributes: { 'gcp.vertex.agent.llm_response': response, 'gcp.vertex.agent.session_id': 's' },
    });
    expect(summary).toMatchObject({ session_id: 's', finish_reason: 'STOP' });
    expect(summary.usage).toMatchObject({
      input_tokens: 100,
      output_tokens: 50,
      total_tokens: 150,
      cache_read_tokens: 40,
      reasoning_tokens: 30,
    });
  });

  it('ignores the empty objects of tool spans', () => {
    const summary = adk({
      name: 'execute_tool a',
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gcp.vertex.agent.llm_response': '{}' },
    });
    expect(summary.usage.input_tokens).toBeNull();
  });
});

describe('Genkit', () => {
  test.each([
    ['action', 'model', 'llm', 'GENERATION'],
    ['action', 'tool', 'tool', 'SPAN'],
    ['action', 'retriever', 'retrieval', 'SPAN'],
    ['action', 'embedder', 'embedding', 'SPAN'],
    ['flow', '', 'function', 'SPAN'],
    ['flowStep', '', 'function', 'SPAN'],
    ['util', '', 'function', 'SPAN'],
    ['model', '', 'llm', 'GENERATION'],
  ])('type %s, subtype %s is %s, %s', (type, subtype, semantic_kind, spanType) => {
    const summary = genkit({ 'genkit:type': type, ...(subtype === '' ? {} : { 'genkit:metadata:subtype': subtype }) });
    expect(summary).toMatchObject({ semantic_kind, type: spanType, family: 'genkit' });
  });

  it('reads a model call from its output, with thoughts added', () => {
    const summary = genkit({
      'genkit:type': 'action',
      'genkit:metadata:subtype': 'model',
      'genkit:name': 'googleai/gemini-2.5-flash',
      'genkit:output': JSON.stringify({
        candidates: [{ finishReason: 'stop' }],
        usage: { inputTokens: 16, outputTokens: 300, thoughtsTokens: 256, totalTokens: 572, cachedContentTokens: 8 },
      }),
    });
    expect(summary).toMatchObject({
      model: 'gemini-2.5-flash',
      provider: 'googleai',
      finish_reason: 'stop',
      usage: { input_tokens: 16, output_tokens: 556, total_tokens: 572, reasoning_tokens: 256, cache_read_tokens: 8 },
    });
  });

  it('does not read the copy on the enclosing utility span', () => {
    const summary = genkit({ 'genkit:type': 'util', 'genkit:name': 'generate', 'genkit:output': '{"usage":{"inputTokens":16}}' });
    expect(summary).toMatchObject({ usage_aggregate: true, type: 'SPAN', model: '', usage: { input_tokens: null } });
  });

  it('names tools, and detects a failure by its state', () => {
    const summary = genkit({
      'genkit:type': 'action',
      'genkit:metadata:subtype': 'tool',
      'genkit:name': 'get_weather',
      'genkit:state': 'error',
    });
    expect(summary).toMatchObject({ tool_name: 'get_weather', name: 'get_weather', status: 'ERROR' });
  });
});
