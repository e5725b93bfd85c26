import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: 'agentmark', ...fields }));

describe("AgentMark's own attributes", () => {
  it('promotes every grouping key', () => {
    const summary = of({
      attributes: {
        'agentmark.session_id': 's-1',
        'agentmark.session_name': 'First chat',
        'agentmark.user_id': 'u-1',
        'agentmark.trace_name': 'turn',
        'agentmark.prompt_name': 'triage',
        'agentmark.prompt_path': 'agentmark/triage.prompt.mdx',
        'agentmark.dataset_run_id': 'run-1',
        'agentmark.dataset_run_name': 'nightly',
        'agentmark.dataset_path': 'sets/a.jsonl',
        'agentmark.dataset_item_name': '3',
        'agentmark.experiment_key': 'triage-eval',
        'agentmark.source_tree_hash': 'abc',
        'agentmark.environment': 'staging',
      },
    });
    expect(summary).toMatchObject({
      session_id: 's-1',
      session_name: 'First chat',
      user_id: 'u-1',
      trace_name: 'turn',
      prompt_name: 'triage',
      prompt_path: 'agentmark/triage.prompt.mdx',
      dataset_run_id: 'run-1',
      dataset_run_name: 'nightly',
      dataset_path: 'sets/a.jsonl',
      dataset_item_name: '3',
      experiment_key: 'triage-eval',
      source_tree_hash: 'abc',
      environment: 'staging',
      metadata: {},
      family: 'agentmark',
    });
  });

  test.each(['session_id', 'session_name', 'user_id', 'trace_name', 'prompt_name', 'dataset_run_id', 'dataset_path'] as const)(
    '%s is promoted out of the metadata, after the plain key',
    (field) => {
      const promoted = of({ attributes: { [`agentmark.metadata.${field}`]: 'from metadata' } });
      expect(promoted[field]).toBe('from metadata');
      expect(promoted.metadata).toEqual({});
      const both = of({ attributes: { [`agentmark.metadata.${field}`]: 'from metadata', [`agentmark.${field}`]: 'plain' } });
      expect(both[field]).toBe('plain');
    },
  );

  it('keeps the commit both promoted and in the metadata, and uses it as the version of a prompt', () => {
    const summary = of({ attributes: { 'agentmark.metadata.commit_sha': 'c0ffee', 'agentmark.prompt_name': 'p' } });
    expect(summary).toMatchObject({ commit_sha: 'c0ffee', prompt_version: 'c0ffee', metadata: { commit_sha: 'c0ffee' } });
    expect(of({ attributes: { 'agentmark.metadata.commit_sha': 'c0ffee' } }).prompt_version).toBe('');
  });

  it('never shows props, dataset payloads or the graph as metadata', () => {
    const summary = of({
      attributes: {
        'agentmark.metadata.props': '{}',
        'agentmark.metadata.dataset_input': '{}',
        'agentmark.metadata.dataset_expected_output': '{}',
        'agentmark.metadata.graph.node.id': 'n1',
        'agentmark.metadata.tenant': 'acme',
      },
    });
    expect(summary.metadata).toEqual({ tenant: 'acme' });
  });

  test.each([
    ['prod,beta', ['prod', 'beta']],
    [' prod , , beta ', ['prod', 'beta']],
    ['["prod","β"]', ['prod', 'β']],
    [['prod', 'prod', ''], ['prod']],
    ['[not json', ['[not json']],
  ])('tags %j are read as %j', (value, tags) => {
    expect(of({ attributes: { 'agentmark.tags': value } }).tags).toEqual(tags);
  });

  it('takes at most 20 tags of at most 100 characters, from resource and span', () => {
    const many = Array.from({ length: 30 }, (_, index) => `t${index}`);
    expect(of({ attributes: { 'agentmark.tags': many } }).tags).toHaveLength(20);
    expect(of({ attributes: { 'agentmark.tags': ['x'.repeat(101), 'x'.repeat(100)] } }).tags).toEqual(['x'.repeat(100)]);
    expect(of({ attributes: { 'agentmark.tags': 'b' }, resource: { 'agentmark.tags': 'a' } }).tags).toEqual(['a', 'b']);
  });

  test.each(['function', 'llm', 'tool', 'agent', 'retrieval', 'embedding', 'guardrail'] as const)('uses its own kind %s', (kind) => {
    const summary = of({ attributes: { 'agentmark.span.kind': kind, 'openinference.span.kind': 'CHAIN' } });
    expect(summary.semantic_kind).toBe(kind);
    expect(summary.type).toBe(kind === 'llm' ? 'GENERATION' : 'SPAN');
  });

  it('ignores a kind that is not one of the seven', () => {
    expect(of({ attributes: { 'agentmark.span.kind': 'router', 'openinference.span.kind': 'TOOL' } }).semantic_kind).toBe('tool');
  });

  test.each([
    ['gen_ai.llm.turn', 'GENERATION', 'llm'],
    ['gen_ai.session', 'GENERATION', 'llm'],
    ['gen_ai.tool.call', 'SPAN', 'tool'],
    ['gen_ai.conversation', 'SPAN', 'agent'],
    ['gen_ai.subagent', 'SPAN', 'agent'],
  ])('the adapter span %s is a %s of kind %s', (name, type, kind) => {
    expect(of({ name })).toMatchObject({ type, semantic_kind: kind });
  });

  it('shows the wrapper of a prompt run as a generation', () => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'agentmark.span.kind': 'llm',
      'gen_ai.request.model': 'm',
      'agentmark.props': '{}',
    };
    expect(of({ attributes })).toMatchObject({ type: 'GENERATION', semantic_kind: 'llm', model: 'm', usage_aggregate: false });
  });

  it('takes a cost above zero', () => {
    expect(of({ attributes: { 'agentmark.usage.cost_usd': 0.25 } }).reported_cost).toBe(0.25);
    expect(of({ attributes: { 'agentmark.usage.cost_usd': 0 } }).reported_cost).toBeNull();
  });
});
