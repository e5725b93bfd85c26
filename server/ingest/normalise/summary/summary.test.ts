import { describe, expect, it } from 'vitest';
import { explain, summarise } from './index.ts';
import { rankedSources } from './key-index.ts';
import { type Sample, sample } from './sample-span.ts';

const of = (fields: Sample) => summarise(sample(fields));

describe('the derivation vectors of the contract for single spans', () => {
  it('D1: a failed generation keeps its tokens and its cost', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cost': 0.01,
    };
    expect(of({ status_code: 2, attributes })).toMatchObject({
      status: 'ERROR',
      type: 'GENERATION',
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
      reported_cost: 0.01,
    });
  });

  it('D3: an agent with totals repeats its calls', () => {
    const attributes = { 'gen_ai.usage.total_tokens': 100, 'gen_ai.usage.cost': 0.05 };
    expect(of({ name: 'invoke_agent planner', attributes })).toMatchObject({
      type: 'SPAN',
      usage_aggregate: true,
      usage: { total_tokens: 100 },
      reported_cost: 0.05,
    });
  });

  it('D4: the trace name of an orphan', () => {
    expect(of({ attributes: { 'agentmark.trace_name': 'A' } }).trace_name).toBe('A');
  });

  it('D8: graph nodes with none and with several parents', () => {
    const node = (more: Record<string, string>) => of({ attributes: { 'agentmark.metadata.graph.node.id': 'n', ...more } }).graph;
    expect(node({})).toEqual({ node_id: 'n', parent_ids: [], node_type: '', display_name: '' });
    const several = { 'agentmark.metadata.graph.node.parent_ids': '["n1","n0"]', 'agentmark.metadata.graph.node.parent_id': 'other' };
    expect(node(several)?.parent_ids).toEqual(['n1', 'n0']);
    expect(node({ 'agentmark.metadata.graph.node.parent_id': 'n1' })?.parent_ids).toEqual(['n1']);
    expect(node({ 'agentmark.metadata.graph.node.parent_ids': '["n1' })?.parent_ids).toEqual([]);
    const labelled = { 'agentmark.metadata.graph.node.type': 'router', 'agentmark.metadata.graph.node.display_name': 'Route' };
    expect(node(labelled)).toMatchObject({ node_type: 'router', display_name: 'Route' });
  });

  it('D9: an empty session name is absent', () => {
    expect(of({ attributes: { 'agentmark.session_name': '', 'agentmark.prompt_name': 'p' } })).toMatchObject({
      session_name: '',
      prompt_name: 'p',
    });
  });
});

describe('precedence of several conventions on one span', () => {
  it('follows the contract for the model', () => {
    const attributes = { 'ai.model.id': 'd', 'llm.model_name': 'c', 'gen_ai.request.model': 'b', 'gen_ai.response.model': 'a' };
    expect(of({ attributes }).model).toBe('a');
    const { 'gen_ai.response.model': _, ...requested } = attributes;
    expect(of({ attributes: requested }).model).toBe('b');
  });

  it('follows the contract for the session', () => {
    const attributes = {
      'gen_ai.conversation.id': '4',
      'session.id': '3',
      'agentmark.metadata.session_id': '2',
      'agentmark.session_id': '1',
    };
    const keys = Object.keys(attributes).reverse();
    keys.forEach((_, index) => {
      const rest = Object.fromEntries(Object.entries(attributes).filter(([key]) => keys.indexOf(key) >= index));
      expect(of({ attributes: rest }).session_id).toBe(String(index + 1));
    });
  });
});

describe('which counts include others', () => {
  const usage = (attributes: Sample['attributes']) => of({ attributes: attributes ?? {} }).usage;

  it('adds a cache that the input cannot include', () => {
    const counts = { 'gen_ai.usage.input_tokens': 69, 'gen_ai.usage.output_tokens': 8, 'gen_ai.usage.cache_read_input_tokens': 1024 };
    expect(usage(counts)).toMatchObject({ input_tokens: 1093, total_tokens: 1101 });
  });

  it('trusts a total which proves that the input excludes the cache', () => {
    const counts = { 'gen_ai.usage.input_tokens': 500, 'gen_ai.usage.output_tokens': 8, 'gen_ai.usage.cache_read_input_tokens': 100 };
    expect(usage({ ...counts, 'gen_ai.usage.total_tokens': 608 }).input_tokens).toBe(600);
    expect(usage({ ...counts, 'gen_ai.usage.total_tokens': 508 }).input_tokens).toBe(500);
    expect(usage(counts).input_tokens).toBe(500);
  });

  it('does the same for reasoning', () => {
    const counts = { 'gen_ai.usage.input_tokens': 16, 'gen_ai.usage.output_tokens': 7, 'gen_ai.usage.reasoning_tokens': 256 };
    expect(usage(counts)).toMatchObject({ output_tokens: 263, total_tokens: 279 });
    const proven = { 'gen_ai.usage.output_tokens': 300, 'gen_ai.usage.reasoning_tokens': 256, 'gen_ai.usage.total_tokens': 556 };
    expect(usage(proven).output_tokens).toBe(556);
  });

  it('keeps a total that is the only count', () => {
    expect(usage({ 'gen_ai.usage.total_tokens': 5 })).toMatchObject({ input_tokens: null, output_tokens: null, total_tokens: 5 });
    expect(usage({})).toMatchObject({ total_tokens: null });
  });
});

describe('explain', () => {
  it('names the attribute or the rule behind each field that has a value', () => {
    const span = sample({
      name: 'chat',
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.response.model': '',
        'gen_ai.request.model': 'm',
        'gen_ai.usage.input_tokens': 69,
        'gen_ai.usage.cache_read_input_tokens': 1024,
        'session.id': 'null',
        'gen_ai.conversation.id': 's',
        'langfuse.observation.level': 'ERROR',
      },
    });
    expect({ ...explain(span) }).toEqual({
      name: 'span name',
      type: 'gen_ai.operation.name',
      semantic_kind: 'gen_ai.operation.name',
      status: 'langfuse.observation.level',
      model: 'gen_ai.request.model',
      request_model: 'gen_ai.request.model',
      session_id: 'gen_ai.conversation.id',
      input_tokens: 'gen_ai.usage.input_tokens + cache, which it excludes',
      cache_read_tokens: 'gen_ai.usage.cache_read_input_tokens',
      total_tokens: 'input + output',
    });
  });
});

describe('the source tables', () => {
  it('name a key at most once for each field', () => {
    for (const sources of rankedSources) {
      const keys = sources.map(({ key }) => key);
      expect(keys).toEqual([...new Set(keys)]);
    }
  });
});
