import { describe, expect, it } from 'vitest';
import type { HistorySpan } from '../otlp-span.ts';
import { Conversation } from './conversation.ts';
import { exportedSession, failedSession, longSession, sessionText } from './fixtures/recorded.ts';

function spansOf(text: string, isOver = true, sinceMs = 0): HistorySpan[] {
  const conversation = new Conversation({ sinceMs, agent: null, promptId: '' });
  return [...text.split('\n').flatMap((line) => conversation.read(line)), ...conversation.end(isOver)];
}

const kindOf = ({ attributes }: HistorySpan): string => String(attributes['gen_ai.operation.name'] ?? 'compaction');
const named = (spans: HistorySpan[], name: string) => spans.filter((span) => span.name === name);

describe('a recorded session', () => {
  const spans = spansOf(sessionText(longSession));

  it('is a trace for each prompt, with its model calls, tools and compaction', () => {
    const start = (trace: HistorySpan[]) => trace.find(({ parentSpanId }) => parentSpanId === '')?.startMs ?? 0;
    const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()].sort((a, b) => start(a) - start(b));
    expect(traces.map((trace) => trace.map(kindOf).sort())).toEqual([
      ['chat', 'chat', 'execute_tool', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      ['chat', 'invoke_agent'],
      ['compaction', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'execute_tool', 'invoke_agent'],
    ]);
    for (const trace of traces) expect(trace.filter(({ parentSpanId }) => parentSpanId === '')).toHaveLength(1);
  });

  it('says which tool failed, and why', () => {
    expect(spans.filter(({ error }) => error !== null)).toEqual([
      expect.objectContaining({ name: 'execute_tool Bash', error: expect.stringContaining('No such file or directory') }),
    ]);
  });

  it('fails with the call that it ended with, and not with a tool', () => {
    const roots = (text: string) => named(spansOf(text), 'claude-code').map(({ error }) => error);
    expect(roots(sessionText(failedSession))).toEqual(Array(2).fill('API Error: 400 the stand-in refuses this'));
    expect(roots(sessionText(longSession))).toEqual(Array(6).fill(null));
  });

  it('shows a slash command as it was typed', () => {
    const prompts = named(spans, 'claude-code').map(({ attributes }) => String(attributes['gen_ai.input.messages']));
    expect(prompts.filter((prompt) => prompt.includes('compact'))).toEqual([expect.stringContaining('"content":"/compact"')]);
  });

  it('keeps what is known of a compaction', () => {
    const [compaction] = named(spans, 'compaction');
    expect(compaction?.attributes['metadata.trigger']).toBe('manual');
    expect(compaction?.attributes['output.value']).toContain('The user wanted the files listed');
  });

  it('has the branch, the folder and the files', () => {
    expect(named(spans, 'claude-code')[0]?.attributes).toMatchObject({
      'metadata.git_branch': 'master',
      'metadata.folder': '/home/ada/ferries',
    });
    expect(named(spans, 'execute_tool Read')[0]?.attributes['metadata.file']).toBe('/home/ada/ferries/README.md');
  });

  it('has only turns that began in time', () => {
    const starts = named(spans, 'claude-code').map(({ startMs }) => startMs);
    const later = spansOf(sessionText(longSession), true, (starts[0] ?? 0) + 1);
    expect(named(later, 'claude-code')).toHaveLength(starts.length - 1);
    expect(new Set(later.map(({ traceId }) => traceId)).size).toBe(starts.length - 1);
  });
});

describe('a session that goes on', () => {
  const lines = sessionText(exportedSession).split('\n');
  const whole = new Map(spansOf(lines.join('\n')).map((span) => [span.spanId, span]));

  it('has no end for what may still change, and the same spans for the rest, wherever its file ends', () => {
    for (const count of lines.keys()) {
      for (const span of spansOf(lines.slice(0, count).join('\n'), false)) {
        if (span.endMs !== null) expect(span).toEqual(whole.get(span.spanId));
        else expect(whole.has(span.spanId), span.name).toBe(true);
      }
    }
  });

  it('is not over while something is open, however long its file is quiet: nothing that was stored with its end changes', () => {
    for (const count of lines.keys()) {
      const conversation = new Conversation({ sinceMs: 0, agent: null, promptId: '' });
      const before = lines.slice(0, count).flatMap((line) => conversation.read(line));
      const spans = [...before, ...conversation.end(!conversation.hasOpenWork)];
      for (const span of spans) if (span.endMs !== null) expect(span).toEqual(whole.get(span.spanId));
    }
  });

  it('is read once, however often its lines were copied', () => {
    expect(spansOf([...lines, ...lines].join('\n'))).toEqual([...whole.values()]);
  });

  it('keeps the ids of the session that it was forked from', () => {
    const forked = lines.map((line) => line.replace(/"sessionId":"([^"]*)"/, '"forkedFrom":{"sessionId":"$1"},"sessionId":"a-fork"'));
    expect(spansOf(forked.join('\n'))).toEqual([...whole.values()]);
  });
});

const at = (second: number) => `2025-06-01T10:00:${String(second).padStart(2, '0')}.000Z`;
const common = { sessionId: 'old', version: '1.0.30', cwd: '/home/ada/ferries', gitBranch: 'main' };
const user = (uuid: string, parentUuid: string | null, second: number, content: unknown, more: object = {}) =>
  JSON.stringify({ ...common, type: 'user', uuid, parentUuid, timestamp: at(second), message: { role: 'user', content }, ...more });
const model = (uuid: string, parentUuid: string, second: number, content: unknown[], more: object = {}) => {
  const usage = { input_tokens: 5, output_tokens: 7, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const message = { id: `msg-${uuid}`, role: 'assistant', model: 'claude-sonnet-4', content, usage };
  return JSON.stringify({ ...common, type: 'assistant', uuid, parentUuid, timestamp: at(second), message, costUSD: 0.5, ...more });
};
const side = { isSidechain: true };

describe('a session of version 1.0', () => {
  const lines = [
    user('u1', null, 0, 'Count the ferries'),
    model('a1', 'u1', 2, [
      { type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'Read the timetable', subagent_type: 'reader' } },
      { type: 'tool_use', id: 't2', name: 'Task', input: { prompt: 'Read the notes' } },
    ]),
    user('s1', null, 3, 'Read the timetable', side),
    user('r1', null, 3, 'Read the notes', side),
    model('s2', 's1', 4, [{ type: 'text', text: 'Three.' }], side),
    model('r2', 'r1', 5, [{ type: 'text', text: 'Two.' }], side),
    user('u2', 'a1', 6, [{ type: 'tool_result', tool_use_id: 't1', content: 'Three.' }]),
    user('u3', 'u2', 6, [{ type: 'tool_result', tool_use_id: 't2', content: 'Two.' }]),
    model('a2', 'u3', 8, [{ type: 'text', text: 'Five ferries.' }]),
  ];
  const spans = spansOf(lines.join('\n'));

  it('has its sub-agents below the tools that started them', () => {
    const [timetable] = named(spans, 'reader');
    const [notes] = named(spans, 'sub-agent');
    const tools = new Map(named(spans, 'execute_tool Task').map((span) => [span.attributes['gen_ai.tool.call.id'], span.spanId]));
    expect(timetable?.parentSpanId).toBe(tools.get('t1'));
    expect(notes?.parentSpanId).toBe(tools.get('t2'));
    expect(spans.filter(({ parentSpanId }) => parentSpanId === notes?.spanId).map(({ name }) => name)).toEqual(['chat claude-sonnet-4']);
  });

  it('is one trace, with the costs that its lines say', () => {
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(named(spans, 'chat claude-sonnet-4').map(({ attributes }) => attributes['gen_ai.usage.cost'])).toEqual([0.5, 0.5, 0.5, 0.5]);
  });
});
