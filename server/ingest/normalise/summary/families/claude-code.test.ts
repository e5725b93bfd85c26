import { describe, expect, it, test } from 'vitest';
import { summarise } from '../index.ts';
import { type Sample, sample } from '../sample-span.ts';

const of = (fields: Sample) => summarise(sample({ scope: 'com.anthropic.claude_code.tracing', ...fields }));

describe('Claude Code', () => {
  test.each([
    ['claude_code.interaction', 'agent', 'SPAN'],
    ['claude_code.llm_request', 'llm', 'GENERATION'],
    ['claude_code.tool', 'tool', 'SPAN'],
    ['claude_code.tool.blocked_on_user', 'function', 'SPAN'],
    ['claude_code.tool.execution', 'function', 'SPAN'],
    ['claude_code.hook', 'function', 'SPAN'],
  ])('%s is %s, %s', (name, semantic_kind, type) => {
    expect(of({ name })).toMatchObject({ semantic_kind, type, family: 'claude-code' });
  });

  it('reads a request, whose input excludes the cache', () => {
    const summary = of({
      name: 'claude_code.llm_request',
      attributes: {
        model: 'claude-sonnet-4-5',
        input_tokens: 335,
        output_tokens: 8,
        cache_read_tokens: 100,
        cache_creation_tokens: 20,
        ttft_ms: 76,
        stop_reason: 'end_turn',
        'session.id': 's',
        'user.id': 'u',
        attempt: 1,
        duration_ms: 115,
        'team.id': 'corpus',
      },
    });
    expect(summary).toMatchObject({
      model: 'claude-sonnet-4-5',
      usage: { input_tokens: 455, output_tokens: 8, total_tokens: 463, cache_read_tokens: 100, cache_write_tokens: 20 },
      ttft_ms: 76,
      finish_reason: 'end_turn',
      session_id: 's',
      user_id: 'u',
    });
    expect({ ...summary.metadata }).toEqual({ attempt: '1', 'team.id': 'corpus' });
  });

  it('names a tool span after its tool', () => {
    const attributes = { tool_name: 'Bash', tool_use_id: 'toolu_1' };
    expect(of({ name: 'claude_code.tool', attributes })).toMatchObject({ name: 'Bash', tool_name: 'Bash', tool_call_id: 'toolu_1' });
    expect(of({ name: 'claude_code.tool' }).tool_name).toBe('');
  });

  it('detects a failure that is not in the status', () => {
    expect(of({ name: 'claude_code.llm_request', attributes: { success: false, error: 'overloaded' } })).toMatchObject({
      status: 'ERROR',
      status_message: 'overloaded',
    });
    expect(summarise(sample({ attributes: { success: false, error: 'no' } })).status).toBe('UNSET');
  });
});
