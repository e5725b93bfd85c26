import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: '@traceloop/node-server-sdk', ...fields }));

describe('OpenLLMetry / Traceloop', () => {
  test.each([
    ['workflow', 'function'],
    ['task', 'function'],
    ['agent', 'agent'],
    ['tool', 'tool'],
    ['LLM', 'llm'],
    ['WORKFLOW', 'function'],
    ['unknown', 'function'],
  ])('kind %s is %s', (kind, semantic_kind) => {
    expect(of({ attributes: { 'traceloop.span.kind': kind } })).toMatchObject({ semantic_kind, family: 'traceloop' });
  });

  it('names the entity by its kind', () => {
    const entity = (kind: string) =>
      of({ attributes: { 'traceloop.span.kind': kind, 'traceloop.entity.name': 'weather' }, name: `weather.${kind}` });
    expect(entity('tool')).toMatchObject({ tool_name: 'weather', name: 'weather', agent_name: '' });
    expect(entity('agent')).toMatchObject({ agent_name: 'weather', tool_name: '', name: 'weather.agent' });
    expect(entity('workflow').trace_name).toBe('weather');
  });

  it('does not name a trace after a nested workflow', () => {
    const attributes = { 'traceloop.workflow.name': 'inner' };
    expect(of({ attributes }).trace_name).toBe('');
    expect(of({ attributes, parent_id: null }).trace_name).toBe('inner');
  });

  it('promotes session and user, and keeps the rest as metadata', () => {
    const summary = of({
      attributes: {
        'traceloop.association.properties.session_id': 's',
        'traceloop.association.properties.user_id': 'u',
        'traceloop.association.properties.plan': 'enterprise',
      },
    });
    expect(summary).toMatchObject({ session_id: 's', user_id: 'u' });
    expect({ ...summary.metadata }).toEqual({ plan: 'enterprise' });
    expect(of({ attributes: { 'traceloop.association.properties.thread_id': 't' } }).session_id).toBe('t');
  });

  it('reads a call with the older names', () => {
    const summary = of({
      scope: 'opentelemetry.instrumentation.openai.v1',
      name: 'openai.chat',
      attributes: {
        'llm.request.type': 'chat',
        'gen_ai.system': 'OpenAI',
        'gen_ai.usage.prompt_tokens': 11,
        'gen_ai.usage.completion_tokens': 3,
        'llm.usage.total_tokens': 14,
        'gen_ai.usage.cache_read_input_tokens': 2,
      },
    });
    expect(summary).toMatchObject({
      semantic_kind: 'llm',
      type: 'GENERATION',
      provider: 'OpenAI',
      usage: { input_tokens: 11, output_tokens: 3, total_tokens: 14, cache_read_tokens: 2 },
    });
  });

  it('adds the cache that it excludes for Anthropic', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.usage.input_tokens': 3000,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.total_tokens': 3005,
      'gen_ai.usage.cache_read_input_tokens': 1000,
    };
    const { usage } = of({ scope: '@traceloop/instrumentation-anthropic', attributes });
    expect(usage).toMatchObject({ input_tokens: 4000, total_tokens: 4005 });
    expect(of({ scope: 'opentelemetry.instrumentation.anthropic', attributes }).usage.input_tokens).toBe(3000);
  });

  it('reads a prompt of the registry', () => {
    const attributes = { 'traceloop.prompt.key': 'greet', 'traceloop.prompt.version': 4 };
    expect(of({ attributes })).toMatchObject({ prompt_name: 'greet', prompt_version: '4' });
  });

  test.each(['pinecone', 'qdrant', 'weaviate', 'milvus', 'chroma', 'marqo', 'lancedb'])('a call of %s is a retrieval', (system) => {
    expect(of({ attributes: { 'db.system': system } }).semantic_kind).toBe('retrieval');
  });

  it('reads other databases as functions', () => {
    expect(of({ attributes: { 'db.system': 'postgresql' } }).semantic_kind).toBe('function');
  });
});
