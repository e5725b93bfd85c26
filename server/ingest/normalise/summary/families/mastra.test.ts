import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, START_NS, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: '@mastra/otel-exporter', ...fields }));
const typed = (type: string, operation: string, more: Sample['attributes'] = {}) =>
  of({ attributes: { 'mastra.span.type': type, 'gen_ai.operation.name': operation, ...more } });

describe('Mastra', () => {
  test.each([
    ['agent_run', 'invoke_agent', 'agent', 'SPAN', true],
    ['workflow_run', 'invoke_workflow', 'function', 'SPAN', false],
    ['workflow_step', 'workflow_step', 'function', 'SPAN', false],
    ['model_generation', 'model_generation', 'llm', 'SPAN', true],
    ['model_generation', 'chat', 'llm', 'GENERATION', false],
    ['model_step', 'agent_step', 'function', 'SPAN', false],
    ['model_inference', 'chat', 'llm', 'GENERATION', false],
    ['model_chunk', 'model_chunk', 'function', 'SPAN', false],
    ['tool_call', 'execute_tool', 'tool', 'SPAN', false],
    ['mcp_tool_call', 'execute_tool', 'tool', 'SPAN', false],
    ['processor_run', 'processor_run', 'function', 'SPAN', false],
  ])('%s (%s) is %s, %s, aggregate: %s', (type, operation, semantic_kind, spanType, usage_aggregate) => {
    expect(typed(type, operation)).toMatchObject({ semantic_kind, type: spanType, usage_aggregate, family: 'mastra' });
  });

  it('detects a failed call by its finish reason, which is JSON text', () => {
    const failed = of({
      status_code: 1,
      attributes: { 'mastra.span.type': 'model_inference', 'gen_ai.response.finish_reasons': '["error"]' },
    });
    expect(failed).toMatchObject({ status: 'ERROR', finish_reason: 'error' });
  });

  it('reads identity, tags and metadata, but not the raw request', () => {
    const summary = typed('model_step', 'agent_step', {
      'mastra.metadata.sessionId': 's',
      'mastra.metadata.userId': 'u',
      'mastra.metadata.environment': 'production',
      'mastra.metadata.headers': '{"authorization":"x"}',
      'mastra.metadata.body': '{}',
      'mastra.tags': '["t1","t2"]',
    });
    expect(summary).toMatchObject({ session_id: 's', user_id: 'u', environment: 'production', tags: ['t1', 't2'] });
    expect(summary.metadata).toEqual({ sessionId: 's', userId: 'u', environment: 'production' });
  });

  it('measures the first token, unless its time is from an earlier step', () => {
    const at = (moment: number) => ({ attributes: { 'mastra.completion_start_time': new Date(moment).toISOString() } });
    const start = Number(BigInt(START_NS) / 1_000_000n);
    expect(of(at(start + 56)).ttft_ms).toBeCloseTo(56);
    const borrowed = of(at(start - 4));
    expect(borrowed.ttft_ms).toBeNull();
    expect(borrowed.warnings).toHaveLength(1);
  });

  it('reads the old exporter, which has the usage in the result', () => {
    const summary = summarise(
      sample({
        scope: 'default-tracer',
        name: 'agent.generate',
        attributes: {
          'agent.generate.result': JSON.stringify({ text: 'hi', usage: { promptTokens: 9, completionTokens: 4, totalTokens: 13 } }),
          'agent.resolveModelConfig.result': JSON.stringify({ modelId: 'gpt-4o' }),
        },
      }),
    );
    expect(summary).toMatchObject({
      semantic_kind: 'llm',
      type: 'GENERATION',
      model: 'gpt-4o',
      usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
      family: 'mastra',
    });
  });
});
