import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: 'pydantic-ai', ...fields }));

describe('Pydantic AI', () => {
  test.each([
    ['agent run', {}, 'agent', 'SPAN'],
    ['chat gpt-4o', { 'gen_ai.operation.name': 'chat' }, 'llm', 'GENERATION'],
    ['running tool', { 'gen_ai.tool.name': 'search' }, 'tool', 'SPAN'],
    ['running 2 tools', {}, 'function', 'SPAN'],
    ['running tools', {}, 'function', 'SPAN'],
    ['running tool: search', {}, 'tool', 'SPAN'],
    ['invoke_agent planner', {}, 'agent', 'SPAN'],
  ])('%s with %j is %s, %s', (name, attributes, semantic_kind, type) => {
    expect(of({ name, attributes })).toMatchObject({ semantic_kind, type, family: 'pydantic' });
  });

  it('names the tool', () => {
    expect(of({ name: 'running tool', attributes: { 'gen_ai.tool.name': 'search' } }).name).toBe('search');
    expect(of({ name: 'running tool: search' }).tool_name).toBe('search');
  });

  it('shows the sums on the agent as an aggregate', () => {
    const attributes = {
      model_name: 'gpt-4o',
      agent_name: 'planner',
      'gen_ai.aggregated_usage.input_tokens': 40,
      'gen_ai.usage.details.reasoning_tokens': 3,
    };
    expect(of({ name: 'agent run', attributes })).toMatchObject({
      model: 'gpt-4o',
      agent_name: 'planner',
      usage_aggregate: true,
      usage: { input_tokens: 40, reasoning_tokens: 3 },
    });
  });

  it('reads generic keys in its own scope only', () => {
    expect(summarise(sample({ attributes: { model_name: 'x', agent_name: 'y', model: 'z' } }))).toMatchObject({
      model: '',
      agent_name: '',
    });
  });
});

describe('Logfire', () => {
  it('reads a pending span as a placeholder, whatever its operation', () => {
    const attributes = { 'logfire.span_type': 'pending_span', 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };
    expect(of({ scope: 'logfire', attributes })).toMatchObject({
      placeholder: true,
      pending: true,
      type: 'SPAN',
      semantic_kind: 'function',
    });
  });

  it('reads a log as an event', () => {
    expect(of({ scope: 'logfire', attributes: { 'logfire.span_type': 'log' } })).toMatchObject({
      type: 'EVENT',
      semantic_kind: 'function',
      placeholder: false,
    });
  });

  it('reads an ordinary span unchanged, with its tags', () => {
    const attributes = { 'logfire.span_type': 'span', 'logfire.tags': ['a'] };
    expect(of({ scope: 'logfire', attributes })).toMatchObject({
      type: 'SPAN',
      placeholder: false,
      pending: false,
      tags: ['a'],
      family: 'logfire',
    });
  });
});
