import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: '@arizeai/openinference-instrumentation-openai', ...fields }));

describe('OpenInference', () => {
  test.each([
    ['LLM', 'llm', 'GENERATION'],
    ['TOOL', 'tool', 'SPAN'],
    ['AGENT', 'agent', 'SPAN'],
    ['CHAIN', 'function', 'SPAN'],
    ['RETRIEVER', 'retrieval', 'SPAN'],
    ['RERANKER', 'retrieval', 'SPAN'],
    ['EMBEDDING', 'embedding', 'SPAN'],
    ['GUARDRAIL', 'guardrail', 'SPAN'],
    ['EVALUATOR', 'function', 'SPAN'],
    ['PROMPT', 'function', 'SPAN'],
    ['UNKNOWN', 'function', 'SPAN'],
  ])('%s is %s, %s', (kind, semantic_kind, type) => {
    expect(of({ attributes: { 'openinference.span.kind': kind } })).toMatchObject({ semantic_kind, type, family: 'openinference' });
  });

  it('reads a call, with details inside the totals', () => {
    const summary = of({
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': 'gpt-4o-2024-08-06',
        'llm.provider': 'openai',
        'llm.system': 'other',
        'llm.finish_reason': 'stop',
        'llm.token_count.prompt': 1216,
        'llm.token_count.completion': 20,
        'llm.token_count.total': 1236,
        'llm.token_count.prompt_details.cache_read': 1024,
        'llm.token_count.prompt_details.cache_write': 8,
        'llm.token_count.completion_details.reasoning': 12,
        'llm.cost.total': 0.02,
      },
    });
    expect(summary).toMatchObject({
      model: 'gpt-4o-2024-08-06',
      provider: 'openai',
      finish_reason: 'stop',
      reported_cost: 0.02,
      usage: {
        input_tokens: 1216,
        output_tokens: 20,
        total_tokens: 1236,
        cache_read_tokens: 1024,
        cache_write_tokens: 8,
        reasoning_tokens: 12,
      },
    });
  });

  it('adds prompt and completion cost', () => {
    expect(of({ attributes: { 'llm.cost.prompt': 0.5, 'llm.cost.completion': '0.25' } }).reported_cost).toBe(0.75);
    expect(of({ attributes: { 'llm.cost.prompt': 0.5 } }).reported_cost).toBe(0.5);
  });

  it('reads the context, keeping every key of the metadata', () => {
    const summary = of({
      attributes: {
        'session.id': 's',
        'user.id': 'u',
        'tag.tags': '["prod","canary"]',
        metadata: JSON.stringify({ tenant: 'acme', build: 17, nested: { a: true }, none: null, session_id: 's', __proto__x: 1 }),
      },
    });
    expect(summary).toMatchObject({ session_id: 's', user_id: 'u', tags: ['prod', 'canary'] });
    expect({ ...summary.metadata }).toEqual({ tenant: 'acme', build: '17', nested: '{"a":true}', session_id: 's', __proto__x: '1' });
  });

  it('falls back to the session inside the metadata', () => {
    expect(of({ attributes: { metadata: '{"thread_id":"th-1","userId":"u-2"}' } })).toMatchObject({ session_id: 'th-1', user_id: 'u-2' });
    expect(of({ attributes: { metadata: { map: [['session_id', 's-3']] } } }).session_id).toBe('s-3');
  });

  it('shows the sums on an agent or a chain as an aggregate', () => {
    const tokens = { 'llm.token_count.prompt': 95, 'llm.token_count.completion': 36 };
    expect(of({ attributes: { 'openinference.span.kind': 'AGENT', ...tokens } })).toMatchObject({ type: 'SPAN', usage_aggregate: true });
    expect(of({ attributes: { 'openinference.span.kind': 'CHAIN', ...tokens } })).toMatchObject({ type: 'SPAN', usage_aggregate: true });
  });

  it('counts tokens once on a span with two conventions', () => {
    const summary = summarise(
      sample({
        scope: 'gen_ai',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'openinference.span.kind': 'LLM',
          'gen_ai.usage.input_tokens': 55,
          'llm.token_count.prompt': 55,
          'metadata.sessionId': 's',
          'metadata.plan': 'pro',
        },
      }),
    );
    expect(summary).toMatchObject({ usage: { input_tokens: 55 }, session_id: 's', metadata: { plan: 'pro' } });
  });

  it('reads the node of the agent graph, and names the agent after it', () => {
    const attributes = { 'openinference.span.kind': 'AGENT', 'graph.node.id': 'booking', 'graph.node.parent_id': 'triage' };
    const summary = of({ attributes });
    expect(summary.graph).toEqual({ node_id: 'booking', parent_ids: ['triage'], node_type: '', display_name: '' });
    expect(summary.agent_name).toBe('booking');
  });

  it('takes the version of a prompt template', () => {
    expect(of({ attributes: { 'llm.prompt_template.version': 'v3' } }).prompt_version).toBe('v3');
  });
});
