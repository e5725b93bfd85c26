import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: 'langsmith', ...fields }));

describe('LangSmith', () => {
  test.each([
    ['llm', 'llm', 'GENERATION'],
    ['chain', 'function', 'SPAN'],
    ['tool', 'tool', 'SPAN'],
    ['retriever', 'retrieval', 'SPAN'],
    ['embedding', 'embedding', 'SPAN'],
    ['prompt', 'function', 'SPAN'],
    ['parser', 'function', 'SPAN'],
  ])('kind %s is %s, %s', (kind, semantic_kind, type) => {
    expect(of({ attributes: { 'langsmith.span.kind': kind } })).toMatchObject({ semantic_kind, type, family: 'langsmith' });
  });

  it('is not misled by the operation of a retriever', () => {
    const attributes = { 'langsmith.span.kind': 'retriever', 'gen_ai.operation.name': 'embeddings' };
    expect(of({ attributes })).toMatchObject({ semantic_kind: 'retrieval', type: 'SPAN' });
  });

  it('detects a failed run by its exception, although its status is OK', () => {
    const events = [{ name: 'exception', attributes: { 'exception.type': 'Error', 'exception.message': 'Error: tool failed' } }];
    expect(of({ status_code: 1, events })).toMatchObject({ status: 'ERROR', status_message: 'Error: tool failed' });
    expect(summarise(sample({ status_code: 1, events }))).toMatchObject({ status: 'OK', status_message: '' });
  });

  it('reads identity, tags and metadata without the settings of LangSmith itself', () => {
    const summary = of({
      parent_id: null,
      attributes: {
        'langsmith.trace.name': 'rag-agent',
        'langsmith.span.tags': 'rag, beta',
        'langsmith.metadata.session_id': 's',
        'langsmith.metadata.user_id': 'u',
        'langsmith.metadata.tenant': 'acme',
        'langsmith.metadata.ls_provider': 'openai',
        'langsmith.metadata.LANGSMITH_TRACING': 'true',
        'langsmith.metadata.usage_metadata': '{}',
      },
    });
    expect(summary).toMatchObject({ session_id: 's', user_id: 'u', trace_name: 'rag-agent', tags: ['rag', 'beta'], provider: 'openai' });
    expect({ ...summary.metadata }).toEqual({ session_id: 's', user_id: 'u', tenant: 'acme', ls_provider: 'openai' });
  });

  it('does not use the name of an inner run as that of the trace', () => {
    expect(of({ attributes: { 'langsmith.trace.name': 'ChatOpenAI' } }).trace_name).toBe('');
  });

  it('finds the details of usage inside JSON', () => {
    const usage = {
      input_tokens: 16,
      output_tokens: 263,
      total_tokens: 279,
      input_token_details: { cache_read: 4, cache_creation: 2 },
      output_token_details: { reasoning: 256 },
    };
    expect(of({ attributes: { 'langsmith.usage_metadata': JSON.stringify(usage) } }).usage).toEqual({
      input_tokens: 16,
      output_tokens: 263,
      total_tokens: 279,
      cache_read_tokens: 4,
      cache_write_tokens: 2,
      reasoning_tokens: 256,
    });
    const details = { 'gen_ai.usage.input_tokens': 16, 'gen_ai.usage.input_token_details': '{"cache_read":3}' };
    expect(of({ attributes: details }).usage.cache_read_tokens).toBe(3);
  });
});

describe('LangChain', () => {
  test.each([
    ['chat_model', 'llm'],
    ['retriever', 'retrieval'],
    ['agent', 'agent'],
    ['nonsense', 'function'],
  ])('run type %s is %s', (type, kind) => {
    expect(summarise(sample({ attributes: { 'langchain.run_type': type } })).semantic_kind).toBe(kind);
  });

  it('reads the span that is named like its LangGraph node as the node', () => {
    const metadata = JSON.stringify({
      langgraph_node: 'tools',
      langgraph_step: 2,
      langgraph_triggers: ['branch:agent:should_continue:tools', 'start:tools'],
    });
    const node = summarise(sample({ name: 'tools', attributes: { 'openinference.span.kind': 'CHAIN', metadata } }));
    expect(node.graph).toEqual({ node_id: 'tools', parent_ids: ['agent'], node_type: '', display_name: 'tools' });
    expect(summarise(sample({ name: 'ChatOpenAI', attributes: { metadata } })).graph).toBeNull();
    const traceloop = summarise(sample({ name: 'tools.task', attributes: { 'traceloop.association.properties.langgraph_node': 'tools' } }));
    expect(traceloop.graph?.node_id).toBe('tools');
  });
});

describe('LlamaIndex', () => {
  it('is read by the conventions that it uses', () => {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.response.model': 'gpt-4o-mini', 'gen_ai.usage.total_tokens': 36 };
    const summary = summarise(sample({ scope: '@traceloop/instrumentation-llamaindex', attributes }));
    expect(summary).toMatchObject({
      type: 'GENERATION',
      model: 'gpt-4o-mini',
      usage: { total_tokens: 36, input_tokens: null },
      family: 'traceloop',
    });
    expect(summarise(sample({ scope: 'llama-index-observability-otel' })).family).toBe('llamaindex');
  });
});
