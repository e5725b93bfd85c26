import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample(fields));

describe('LiteLLM', () => {
  it('reads the request on the proxy span, where everything is text and "None" is absent', () => {
    const summary = of({
      scope: 'litellm',
      name: 'Received Proxy Server Request',
      attributes: {
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.model': 'None',
        'gen_ai.system': 'openai',
        'gen_ai.usage.input_tokens': '12',
        'gen_ai.usage.output_tokens': '3',
        'gen_ai.usage.total_tokens': 'None',
        'gen_ai.response.finish_reasons': '["stop"]',
        'gen_ai.cost.total_cost': '0.004',
        'gen_ai.request.user': 'None',
        'metadata.user_api_key_alias': 'team-key',
        'metadata.user_api_key_user_id': 'None',
      },
    });
    expect(summary).toMatchObject({
      type: 'GENERATION',
      model: 'gpt-4o',
      usage: { input_tokens: 12, output_tokens: 3, total_tokens: 15 },
      finish_reason: 'stop',
      reported_cost: 0.004,
      user_id: '',
      family: 'litellm',
      warnings: [],
    });
    expect({ ...summary.metadata }).toEqual({ user_api_key_alias: 'team-key' });
  });

  it('reads guardrails', () => {
    expect(of({ scope: 'litellm', attributes: { guardrail_name: 'pii' } }).semantic_kind).toBe('guardrail');
  });
});

describe('OpenLIT', () => {
  test.each([
    ['image', 'llm'],
    ['audio', 'llm'],
    ['vectordb', 'retrieval'],
    ['agent', 'agent'],
    ['framework', 'function'],
    ['execute_task', 'function'],
  ])('operation %s is %s', (operation, kind) => {
    expect(of({ scope: 'openlit.otel.tracing', attributes: { 'gen_ai.operation.name': operation } })).toMatchObject({
      semantic_kind: kind,
      family: 'openlit',
    });
  });

  it('reads cost, reasoning, user and environment', () => {
    const attributes = {
      'gen_ai.usage.cost': 0.01,
      'gen_ai.usage.reasoning_tokens': 5,
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.request.user': 'u',
      'gen_ai.environment': 'prod',
    };
    expect(of({ attributes })).toMatchObject({
      reported_cost: 0.01,
      usage: { reasoning_tokens: 5, output_tokens: 9 },
      user_id: 'u',
      environment: 'prod',
    });
  });
});

describe('Sentry', () => {
  it('reads its operation, its cached tokens, and adds the cache it leaves out for Anthropic', () => {
    const summary = of({
      scope: '@sentry/node',
      name: 'chat claude-sonnet-4-5',
      attributes: {
        'sentry.origin': 'auto.ai.anthropic',
        'sentry.op': 'gen_ai.chat',
        'gen_ai.system': 'anthropic',
        'gen_ai.usage.input_tokens': 500,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.input_tokens.cached': 100,
        'gen_ai.response.finish_reasons': '["end_turn"]',
      },
    });
    expect(summary).toMatchObject({
      type: 'GENERATION',
      usage: { input_tokens: 600, cache_read_tokens: 100 },
      finish_reason: 'end_turn',
      family: 'sentry',
    });
    expect(of({ attributes: { 'sentry.op': 'http.client' } }).semantic_kind).toBe('function');
  });
});

describe('others', () => {
  it('reads Strands, also a failed tool without an error status', () => {
    const cycle = of({ scope: 'strands.telemetry.tracer', name: 'execute_event_loop_cycle', attributes: { 'event_loop.cycle_id': 'c' } });
    expect(cycle).toMatchObject({ semantic_kind: 'function', family: 'strands' });
    const tool = of({ attributes: { 'gen_ai.operation.name': 'execute_tool', 'tool.status': 'error' } });
    expect(tool).toMatchObject({ status: 'ERROR', semantic_kind: 'tool' });
  });

  test.each([
    ['"CHAT_MODEL"', 'llm'],
    ['TOOL', 'tool'],
    ['"RETRIEVER"', 'retrieval'],
    ['"UNKNOWN"', 'function'],
  ])('MLflow %s is %s', (type, kind) => {
    expect(of({ attributes: { 'mlflow.spanType': type } }).semantic_kind).toBe(kind);
  });

  it('reads usage and identity of MLflow', () => {
    const attributes = {
      'mlflow.chat.tokenUsage': '{"input_tokens":4,"output_tokens":2,"total_tokens":6}',
      'mlflow.trace.session': '"s"',
      'mlflow.trace.user': '"u"',
    };
    expect(of({ attributes })).toMatchObject({ usage: { input_tokens: 4, output_tokens: 2 }, session_id: 's', user_id: 'u' });
  });

  it('reads Laminar', () => {
    const attributes = {
      'lmnr.span.type': 'LLM',
      'lmnr.association.properties.session_id': 's',
      'lmnr.association.properties.user_id': 'u',
      'lmnr.association.properties.tags': ['t'],
      'lmnr.association.properties.metadata.plan': 'pro',
    };
    expect(of({ attributes })).toMatchObject({
      semantic_kind: 'llm',
      session_id: 's',
      user_id: 'u',
      tags: ['t'],
      metadata: { plan: 'pro' },
      family: 'laminar',
    });
  });

  it('detects Laminar by its scope, and reads a call from the cache of its debugger by its original type', () => {
    expect(of({ scope: 'lmnr.tracer' })).toMatchObject({ semantic_kind: 'function', family: 'laminar' });
    const attributes = { 'lmnr.span.type': 'CACHED', 'lmnr.span.original_type': 'LLM' };
    expect(of({ scope: 'lmnr.tracer', attributes })).toMatchObject({ semantic_kind: 'llm', family: 'laminar' });
  });

  it('reads Braintrust', () => {
    const attributes = {
      'braintrust.span_attributes': '{"type":"llm","name":"Chat"}',
      'braintrust.metadata': '{"model":"gpt-4o","plan":"pro"}',
      'braintrust.metrics': '{"prompt_tokens":10,"completion_tokens":2,"prompt_cached_tokens":4,"time_to_first_token":0.5}',
    };
    expect(of({ attributes })).toMatchObject({
      semantic_kind: 'llm',
      model: 'gpt-4o',
      usage: { input_tokens: 10, output_tokens: 2, cache_read_tokens: 4 },
      ttft_ms: 500,
      metadata: { plan: 'pro' },
    });
  });

  it('reads LiveKit', () => {
    const tool = of({
      scope: 'livekit-agents',
      name: 'function_tool',
      attributes: { 'lk.function_tool.name': 'book', 'lk.function_tool.is_error': true },
    });
    expect(tool).toMatchObject({ semantic_kind: 'tool', name: 'book', status: 'ERROR', family: 'livekit' });
    expect(of({ scope: 'livekit-agents', attributes: { 'lk.response.ttft': 0.3 } }).ttft_ms).toBe(300);
  });

  it('reads spans without GenAI attributes as plain spans', () => {
    const summary = of({ name: 'GET', kind: 3, attributes: { 'http.request.method': 'GET', 'url.full': 'http://search/rag' } });
    expect(summary).toMatchObject({
      name: 'GET',
      type: 'SPAN',
      semantic_kind: 'function',
      family: '',
      model: '',
      metadata: {},
      tags: [],
      graph: null,
    });
  });
});
