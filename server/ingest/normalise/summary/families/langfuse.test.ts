import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, START_NS, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: 'langfuse-sdk', ...fields }));
const usage = (details: object) => of({ attributes: { 'langfuse.observation.usage_details': JSON.stringify(details) } }).usage;

describe('Langfuse', () => {
  test.each([
    ['span', 'function', 'SPAN'],
    ['generation', 'llm', 'GENERATION'],
    ['event', 'function', 'EVENT'],
    ['embedding', 'embedding', 'SPAN'],
    ['agent', 'agent', 'SPAN'],
    ['tool', 'tool', 'SPAN'],
    ['chain', 'function', 'SPAN'],
    ['retriever', 'retrieval', 'SPAN'],
    ['guardrail', 'guardrail', 'SPAN'],
    ['evaluator', 'function', 'SPAN'],
  ])('observation %s is %s, %s', (kind, semantic_kind, type) => {
    expect(of({ attributes: { 'langfuse.observation.type': kind } })).toMatchObject({ semantic_kind, type, family: 'langfuse' });
  });

  it('lets other indicators decide for its default', () => {
    const attributes = { 'langfuse.observation.type': 'span', 'gen_ai.operation.name': 'execute_tool' };
    expect(of({ attributes }).semantic_kind).toBe('tool');
  });

  it('reads level ERROR as a failure', () => {
    const attributes = { 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'inner failure' };
    expect(of({ attributes })).toMatchObject({ status: 'ERROR', status_message: 'inner failure' });
  });

  it('shows the message of a warning without making it a failure', () => {
    const attributes = { 'langfuse.observation.level': 'WARNING', 'langfuse.observation.status_message': 'suspicious' };
    expect(of({ attributes })).toMatchObject({ status: 'UNSET', status_message: 'suspicious' });
  });

  it('adds the buckets, which exclude each other', () => {
    expect(usage({ input: 192, input_cached_tokens: 1024, output: 8, output_reasoning_tokens: 5, total: 1229 })).toMatchObject({
      input_tokens: 1216,
      output_tokens: 13,
      total_tokens: 1229,
      cache_read_tokens: 1024,
      reasoning_tokens: 5,
    });
    expect(usage({ input: 10, cache_read_input_tokens: 5, cache_creation_input_tokens: 3, input_audio: 2, output: 1 })).toMatchObject({
      input_tokens: 20,
      cache_read_tokens: 5,
      cache_write_tokens: 3,
      total_tokens: 21,
    });
  });

  it('trusts a total which shows that input and output were complete', () => {
    expect(usage({ input: 100, output: 20, input_cached_tokens: 40, output_reasoning_tokens: 5, total: 120 })).toMatchObject({
      input_tokens: 100,
      output_tokens: 20,
      total_tokens: 120,
      cache_read_tokens: 40,
      reasoning_tokens: 5,
    });
  });

  it("reads usage in OpenAI's names", () => {
    expect(usage({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 })).toMatchObject({
      input_tokens: 7,
      output_tokens: 3,
      total_tokens: 10,
    });
  });

  it('reads model, prompt, cost, release and the rest', () => {
    const start = Number(BigInt(START_NS) / 1_000_000n);
    const summary = of({
      attributes: {
        'langfuse.observation.model.name': 'gpt-4o',
        'langfuse.observation.prompt.name': 'greeting',
        'langfuse.observation.prompt.version': 4,
        'langfuse.observation.cost_details': '{"input":0.0025,"output":0.002,"total":0.0045}',
        'langfuse.observation.completion_start_time': JSON.stringify(new Date(start + 10).toISOString()),
        'langfuse.environment': 'staging',
        'langfuse.release': 'r-1',
        'langfuse.trace.name': 'turn',
        'langfuse.trace.tags': ['beta', 'eu'],
        'langfuse.session.id': 's',
        'langfuse.user.id': 'u',
        'langfuse.trace.metadata': '{"tenant":"acme","topic":"a"}',
        'langfuse.observation.metadata.topic': 'i18n',
        'langfuse.experiment.id': 'e1',
        'langfuse.experiment.name': 'nightly',
        'langfuse.internal.is_app_root': true,
      },
    });
    expect(summary).toMatchObject({
      model: 'gpt-4o',
      prompt_name: 'greeting',
      prompt_version: '4',
      reported_cost: 0.0045,
      environment: 'staging',
      release: 'r-1',
      trace_name: 'turn',
      tags: ['beta', 'eu'],
      session_id: 's',
      user_id: 'u',
      dataset_run_id: 'e1',
      dataset_run_name: 'nightly',
    });
    expect(summary.ttft_ms).toBeCloseTo(10);
    expect({ ...summary.metadata }).toEqual({ tenant: 'acme', topic: 'a' });
  });

  it('adds the parts of a cost without a total', () => {
    expect(of({ attributes: { 'langfuse.observation.cost_details': '{"input":0.5,"output":0.25}' } }).reported_cost).toBe(0.75);
    expect(of({ attributes: { 'langfuse.observation.cost_details': '{}' } }).reported_cost).toBeNull();
  });
});
