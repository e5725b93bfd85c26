import { describe, expect, it, test } from 'vitest';
import type { RawValue } from '../../../otlp/raw-span.ts';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample(fields));

describe('OpenTelemetry GenAI conventions', () => {
  it('reads a chat call', () => {
    const summary = of({
      name: 'chat gpt-4o',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'gpt-4o-2024-08-06',
        'gen_ai.usage.input_tokens': 1200,
        'gen_ai.usage.output_tokens': 80,
        'gen_ai.usage.cache_read.input_tokens': 1024,
        'gen_ai.usage.cache_creation.input_tokens': 16,
        'gen_ai.usage.reasoning.output_tokens': 64,
        'gen_ai.response.finish_reasons': ['stop', 'length'],
        'gen_ai.response.time_to_first_chunk': 0.25,
        'gen_ai.conversation.id': 'conv-1',
        'gen_ai.agent.name': 'Concierge',
      },
    });
    expect(summary).toMatchObject({
      type: 'GENERATION',
      semantic_kind: 'llm',
      model: 'gpt-4o-2024-08-06',
      request_model: 'gpt-4o',
      provider: 'openai',
      usage: {
        input_tokens: 1200,
        output_tokens: 80,
        total_tokens: 1280,
        cache_read_tokens: 1024,
        cache_write_tokens: 16,
        reasoning_tokens: 64,
      },
      usage_aggregate: false,
      finish_reason: 'stop',
      ttft_ms: 250,
      session_id: 'conv-1',
      agent_name: 'Concierge',
      family: 'genai',
    });
  });

  it('reads tokens written to a cache under each of their names', () => {
    for (const name of ['cache_write.input_tokens', 'cache_creation.input_tokens', 'cache_creation_input_tokens'])
      expect(of({ attributes: { [`gen_ai.usage.${name}`]: 16 } }).usage.cache_write_tokens, name).toBe(16);
  });

  test.each([
    ['plan', 'function', 'SPAN'],
    ['search_memory', 'retrieval', 'SPAN'],
    ['upsert_memory', 'function', 'SPAN'],
    ['generate_live_content', 'llm', 'GENERATION'],
    ['chat', 'llm', 'GENERATION'],
    ['text_completion', 'llm', 'GENERATION'],
    ['generate_content', 'llm', 'GENERATION'],
    ['embeddings', 'embedding', 'GENERATION'],
    ['retrieval', 'retrieval', 'SPAN'],
    ['rerank', 'retrieval', 'SPAN'],
    ['execute_tool', 'tool', 'SPAN'],
    ['invoke_agent', 'agent', 'SPAN'],
    ['create_agent', 'agent', 'SPAN'],
    ['invoke_workflow', 'agent', 'SPAN'],
    ['agent_step', 'function', 'SPAN'],
    ['something_new', 'function', 'SPAN'],
  ])('operation %s is of kind %s and type %s', (operation, semantic_kind, type) => {
    expect(of({ attributes: { 'gen_ai.operation.name': operation } })).toMatchObject({ semantic_kind, type });
  });

  test.each([
    ['chat gpt-4o', 'llm', 'GENERATION'],
    ['chat', 'llm', 'GENERATION'],
    ['execute_tool search', 'tool', 'SPAN'],
    ['invoke_agent planner', 'agent', 'SPAN'],
    ['embeddings ada', 'embedding', 'SPAN'],
    ['chatter', 'function', 'SPAN'],
    ['vector search for rag', 'function', 'SPAN'],
    ['GET /search', 'function', 'SPAN'],
  ])('without an operation, the name %s is of kind %s and type %s', (name, semantic_kind, type) => {
    expect(of({ name })).toMatchObject({ semantic_kind, type });
  });

  it('reads a span with tokens or a model as a model call', () => {
    expect(of({ attributes: { 'gen_ai.usage.input_tokens': 3 } })).toMatchObject({ semantic_kind: 'llm', type: 'GENERATION' });
    expect(of({ attributes: { 'gen_ai.request.model': 'm' } })).toMatchObject({ semantic_kind: 'llm', type: 'GENERATION' });
  });

  it('renames a tool execution to its tool, and nothing else', () => {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.id': 'c1' };
    expect(of({ name: 'execute_tool search', attributes })).toMatchObject({ name: 'search', tool_name: 'search', tool_call_id: 'c1' });
    expect(of({ name: 'tool-ish', attributes: { 'gen_ai.tool.name': 'search' } }).name).toBe('tool-ish');
    expect(of({ name: 'execute_tool search' })).toMatchObject({ name: 'execute_tool search', tool_name: 'search' });
  });

  test.each<[RawValue, string]>([
    [['stop'], 'stop'],
    ['["tool_calls"]', 'tool_calls'],
    ['stop', 'stop'],
    [[], ''],
    ['[]', ''],
    [[null], ''],
    ['[broken', ''],
  ])('finish reasons %j give %j', (value, reason) => {
    expect(of({ attributes: { 'gen_ai.response.finish_reasons': value } }).finish_reason).toBe(reason);
  });

  it('finds the finish reason in the output messages if there is no other', () => {
    const messages = JSON.stringify([{ role: 'assistant', parts: [], finish_reason: 'length' }]);
    expect(of({ attributes: { 'gen_ai.output.messages': messages } }).finish_reason).toBe('length');
  });

  it('reads an agent that sums its calls as an aggregate', () => {
    const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.usage.input_tokens': 95, 'gen_ai.usage.output_tokens': 36 };
    expect(of({ attributes })).toMatchObject({ type: 'SPAN', usage_aggregate: true, usage: { input_tokens: 95, total_tokens: 131 } });
  });
});

describe('older GenAI styles', () => {
  it('reads the names before 1.27', () => {
    const attributes = {
      'gen_ai.system': 'openai',
      'gen_ai.request.model': 'gpt-3.5-turbo',
      'gen_ai.usage.prompt_tokens': 11,
      'gen_ai.usage.completion_tokens': 3,
      'gen_ai.completion.0.finish_reason': 'stop',
    };
    expect(of({ attributes })).toMatchObject({
      type: 'GENERATION',
      provider: 'openai',
      finish_reason: 'stop',
      usage: { input_tokens: 11, output_tokens: 3, total_tokens: 14 },
    });
  });

  it('reads an operation-details event below the attributes of the span', () => {
    const events = [
      {
        name: 'gen_ai.client.inference.operation.details',
        attributes: { 'gen_ai.request.model': 'of event', 'gen_ai.usage.input_tokens': 7, 'gen_ai.provider.name': 'aws.bedrock' },
      },
    ];
    const summary = of({ attributes: { 'gen_ai.request.model': 'of span' }, events });
    expect(summary).toMatchObject({ model: 'of span', provider: 'aws.bedrock', usage: { input_tokens: 7 } });
  });

  it('measures the first token by the first event of a stream', () => {
    const events = [
      { name: 'gen_ai.content.completion.chunk', time_ns: '1795226857400000000' },
      { name: 'gen_ai.content.completion.chunk', time_ns: '1795226857150500000' },
    ];
    expect(of({ events }).ttft_ms).toBe(150.5);
  });
});

describe('MCP', () => {
  it('reads a tool call as a tool, and other methods as functions', () => {
    const call = of({ name: 'tools/call multiply', attributes: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': 'multiply' } });
    expect(call).toMatchObject({ semantic_kind: 'tool', name: 'multiply', family: 'mcp' });
    expect(of({ name: 'tools/list', attributes: { 'mcp.method.name': 'tools/list' } }).semantic_kind).toBe('function');
    expect(of({ name: 'tools/call add', attributes: { 'mcp.method.name': 'tools/call' } }).tool_name).toBe('add');
  });

  it('reads the MCP session as a session only on a root span', () => {
    const attributes = { 'mcp.method.name': 'tools/list', 'mcp.session.id': 'm1' };
    expect(of({ attributes, parent_id: null }).session_id).toBe('m1');
    expect(of({ attributes }).session_id).toBe('');
    expect(of({ attributes: { 'mcp.session.id': 'm1' }, parent_id: null }).session_id).toBe('');
  });
});
