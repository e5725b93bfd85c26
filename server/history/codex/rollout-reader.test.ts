import { describe, expect, it } from 'vitest';
import { exportedSession } from '../../fixtures/exported-sessions.ts';
import type { HistorySpan } from '../otlp-span.ts';
import {
  agentThread,
  delegatingSession,
  failedSession,
  forkedSession,
  longSession,
  planningSession,
  sessionText,
} from './fixtures/recorded.ts';
import { RolloutReader } from './rollout-reader.ts';
import { StartedAgents } from './started-agents.ts';

const agents = () => new StartedAgents();

function spansOf(text: string, { threadId = longSession, isOver = true, sinceMs = 0, started = agents() } = {}): HistorySpan[] {
  const reader = new RolloutReader({ threadId, sinceMs, started });
  return [...text.split('\n').flatMap((line) => reader.read(line)), ...reader.end(isOver)];
}

const kindOf = ({ attributes }: HistorySpan): string => String(attributes['gen_ai.operation.name'] ?? 'compaction');
const named = (spans: HistorySpan[], name: string) => spans.filter((span) => span.name === name);
const kinds = (spans: HistorySpan[]) => [...Map.groupBy(spans, ({ traceId }) => traceId).values()].map((trace) => trace.map(kindOf).sort());
const usages = (spans: HistorySpan[]) =>
  spans.filter((span) => kindOf(span) === 'chat').map(({ attributes }) => attributes['gen_ai.usage.input_tokens']);

describe('a recorded session', () => {
  const spans = spansOf(sessionText(longSession));

  it('is a trace for each prompt, with its model calls, tools and compaction', () => {
    expect(kinds(spans)).toEqual([
      ['chat', 'chat', 'execute_tool', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      ['chat', 'invoke_agent'],
      ['chat', 'chat', 'chat', 'compaction', 'execute_tool', 'execute_tool', 'invoke_agent'],
    ]);
  });

  it('says which tool failed, in the words of the tool', () => {
    expect(spans.filter(({ error }) => error !== null)).toEqual([
      expect.objectContaining({ name: 'execute_tool exec_command', error: 'cat: missing.txt: No such file or directory\n' }),
    ]);
  });

  it('has the branch, the folder, the files, and the program', () => {
    const [root] = named(spans, 'codex');
    expect(root?.attributes).toMatchObject({ 'metadata.git_branch': 'timetable', 'metadata.folder': '/home/ada/ferries' });
    expect(root?.resource).toEqual({ 'service.name': 'codex_exec', 'service.version': '0.171.0' });
    const files = spans.map(({ attributes }) => attributes['metadata.file']).filter(Boolean);
    expect(files).toEqual(['/home/ada/ferries/notes.txt']);
  });

  it('has only turns that began in time', () => {
    const starts = named(spans, 'codex').map(({ startMs }) => startMs);
    const later = spansOf(sessionText(longSession), { sinceMs: (starts[0] ?? 0) + 1 });
    expect(named(later, 'codex')).toHaveLength(starts.length - 1);
    expect(new Set(later.map(({ traceId }) => traceId)).size).toBe(starts.length - 1);
  });

  it('fails with the error that its turn ended with', () => {
    const [root] = spansOf(sessionText(failedSession), { threadId: failedSession });
    expect(root?.error).toContain('the stand-in refuses this');
  });

  it('has a sub-agent below the tool that started it', () => {
    const started = agents();
    const parent = spansOf(sessionText(delegatingSession), { threadId: delegatingSession, started });
    const child = spansOf(sessionText(agentThread), { threadId: agentThread, started });
    const [tool] = named(parent, 'execute_tool spawn_agent');
    const [root] = named(child, 'Mill');
    expect([root?.traceId, root?.parentSpanId]).toEqual([tool?.traceId, tool?.spanId]);
    expect(new Set(child.map(({ attributes }) => attributes['session.id']))).toEqual(new Set([delegatingSession]));
    // Without the file of the session that started it, it is below the turn.
    const [alone] = named(spansOf(sessionText(agentThread), { threadId: agentThread }), 'Mill');
    expect(alone?.parentSpanId).toBe(named(parent, 'codex')[0]?.spanId);
  });
});

describe('a session that goes on', () => {
  const lines = sessionText(planningSession).split('\n');
  const whole = new Map(spansOf(lines.join('\n'), { threadId: planningSession }).map((span) => [span.spanId, span]));

  it('has no end for what may still change, and the same spans for the rest, wherever its file ends', () => {
    for (const count of lines.keys()) {
      for (const span of spansOf(lines.slice(0, count).join('\n'), { threadId: planningSession, isOver: false })) {
        if (span.endMs !== null) expect(span).toEqual(whole.get(span.spanId));
        else expect(whole.has(span.spanId), span.name).toBe(true);
      }
    }
  });

  it('is read once, however often its lines were copied', () => {
    const twice = spansOf([...lines, ...lines].join('\n'), { threadId: planningSession });
    expect(twice).toEqual([...whole.values()]);
  });

  it('ends where the user interrupts it', () => {
    const aborted = { type: 'turn_aborted', turn_id: '', reason: 'interrupted' };
    const last = JSON.stringify({ timestamp: '2026-11-28T13:35:00.000Z', type: 'event_msg', payload: aborted });
    const spans = spansOf([...lines.slice(0, 11), last].join('\n'), { threadId: planningSession, isOver: false });
    expect(named(spans, 'codex').map(({ error, endMs }) => [error, endMs === null])).toEqual([['Aborted: interrupted', false]]);
  });
});

describe('a fork', () => {
  it('has its own turns only, also where the lines of the original are copied into its file', () => {
    const own = sessionText(forkedSession).split('\n');
    const spans = spansOf(own.join('\n'), { threadId: forkedSession });
    expect(kinds(spans)).toEqual([['chat', 'invoke_agent']]);
    const time = /"timestamp":"[^"]*"/;
    const copied = sessionText(longSession).replaceAll(new RegExp(time, 'g'), own[0]?.match(time)?.[0] ?? '');
    const copy = spansOf([own[0], copied.trim(), ...own.slice(1)].join('\n'), { threadId: forkedSession });
    expect(copy.map(({ spanId }) => spanId)).toEqual(spans.map(({ spanId }) => spanId));
    expect(usages(copy)).toEqual(usages(spans));
  });
});

/** Lines as earlier versions write them. */
function earlierLines(...lines: [second: number, type: string, payload: object][]): string {
  const at = (second: number) => new Date(Date.UTC(2025, 9, 29, 0, 0, second)).toISOString();
  return lines.map(([second, type, payload]) => JSON.stringify({ timestamp: at(second), type, payload })).join('\n');
}
const threadId = '019a2d7a-41c4-78b1-b7cc-a45d62a89cd5';
const meta = { id: threadId, cwd: '/home/ada/ferries', originator: 'codex_cli_rs', cli_version: '0.46.0', git: { branch: 'main' } };
const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'output_text', text }] });
const tokens = (input_tokens: number, output_tokens: number) => ({ input_tokens, cached_input_tokens: 1, output_tokens, total_tokens: 0 });
const count = (last: [number, number], total: [number, number]) => ({
  type: 'token_count',
  info: { last_token_usage: tokens(...last), total_token_usage: tokens(...total) },
});
const context = { cwd: '/home/ada/ferries', model: 'gpt-5-codex' };

describe('a session of version 0.46', () => {
  const spans = spansOf(
    earlierLines(
      [0, 'session_meta', meta],
      [0, 'response_item', message('user', '<environment_context/>')],
      [1, 'response_item', message('user', 'List the ferries')],
      [1, 'event_msg', { type: 'user_message', message: '<environment_context/>', kind: 'environment_context' }],
      [1, 'event_msg', { type: 'user_message', message: 'List the ferries', kind: 'plain' }],
      [1, 'turn_context', context],
      [3, 'event_msg', count([10, 2], [10, 2])],
      [3, 'event_msg', count([10, 2], [10, 2])],
      [4, 'response_item', { type: 'function_call', name: 'shell', arguments: '{"command":["cat","none"]}', call_id: 'c1' }],
      [4, 'response_item', { type: 'function_call_output', call_id: 'c1', output: '{"output":"none: gone","metadata":{"exit_code":1}}' }],
      [6, 'event_msg', count([20, 3], [30, 5])],
      [6, 'response_item', message('assistant', 'There are none.')],
      [9, 'response_item', message('user', 'Thank you')],
      [9, 'event_msg', { type: 'user_message', message: 'Thank you', kind: 'plain' }],
      [9, 'turn_context', context],
      [10, 'response_item', message('assistant', 'With pleasure.')],
      [10, 'event_msg', count([31, 4], [61, 9])],
      [12, 'event_msg', count([32, 5], [93, 14])],
      [12, 'compacted', { message: 'They were thanked.' }],
      [12, 'event_msg', count([0, 0], [93, 14])],
    ),
    { threadId },
  );

  it('has a turn for each prompt that was typed', () => {
    expect(kinds(spans)).toEqual([
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'compaction', 'invoke_agent'],
    ]);
    const prompts = named(spans, 'codex').map(({ attributes }) => attributes['gen_ai.input.messages']);
    expect(prompts).toEqual([expect.stringContaining('List the ferries'), expect.stringContaining('Thank you')]);
  });

  it('counts the tokens of each call once, before its answer or after it', () => {
    expect(usages(spans)).toEqual([10, 20, 31, 32]);
  });

  it('knows the exit code of a command', () => {
    expect(spans.filter(({ error }) => error !== null).map(({ name, error }) => [name, error])).toEqual([
      ['execute_tool shell', 'none: gone'],
    ]);
  });
});

it('counts from totals where calls have no counts of their own', () => {
  const total = (input: number) => ({ type: 'token_count', info: { total_token_usage: tokens(input, input) } });
  const text = earlierLines(
    [0, 'session_meta', meta],
    [1, 'event_msg', { type: 'user_message', message: 'Hello' }],
    [2, 'response_item', message('assistant', 'Hello.')],
    [2, 'event_msg', total(10)],
    [3, 'event_msg', { type: 'user_message', message: 'Again' }],
    [4, 'response_item', message('assistant', 'Hello again.')],
    [4, 'event_msg', total(25)],
  );
  expect(usages(spansOf(text, { threadId }))).toEqual([10, 15]);
});

it('keeps calls apart that the file gives no ids and the same time', () => {
  const text = earlierLines(
    [0, 'session_meta', meta],
    [1, 'event_msg', { type: 'user_message', message: 'Hello' }],
    [2, 'response_item', message('assistant', 'Hello.')],
    [2, 'event_msg', count([10, 1], [10, 1])],
    [3, 'event_msg', count([20, 2], [30, 3])],
    [3, 'event_msg', count([30, 3], [60, 6])],
    [3, 'response_item', message('assistant', 'Hello again.')],
  );
  expect(usages(spansOf(text, { threadId }))).toEqual([10, 20, 30]);
});

it('bounds what it holds of one call, whatever number of parts it has', () => {
  const parts = Array.from({ length: 300_000 }, () => ({ type: 'output_text', text: 'a' }));
  const text = earlierLines(
    [0, 'session_meta', meta],
    [1, 'event_msg', { type: 'user_message', message: 'Hello' }],
    [2, 'response_item', { type: 'message', role: 'assistant', content: parts }],
  );
  const [call] = spansOf(text, { threadId }).filter((span) => kindOf(span) === 'chat');
  expect(String(call?.attributes['gen_ai.output.messages']).length).toBeLessThan(200_000);
});

it('reads past whatever is renamed, missing or of another type', () => {
  const text = sessionText(delegatingSession);
  const keys = new Set([...text.matchAll(/"(\w+)":/g)].map(([, key]) => key));
  for (const key of keys) {
    for (const changed of [`"renamed":`, `"${key}":null,"renamed":`, `"${key}":7,"renamed":`]) {
      const spans = spansOf(text.replaceAll(`"${key}":`, changed), { threadId: delegatingSession });
      expect(new Set(spans.map(({ traceId, spanId }) => traceId + spanId)).size).toBe(spans.length);
    }
  }
});

it('a turn has the trace id of the spans that Codex exported of it', async () => {
  const { history, traces, sessions } = await exportedSession('codex', 1);
  const idsIn = (bodies: readonly string[]) => new Set(bodies.join('').match(/(?<="traceId":")[0-9a-f]{32}/g));
  const [read, exported] = [idsIn(history), idsIn(traces)];
  expect([exported.size, sessions.length, read.size]).toEqual([2, 3, 7]);
  expect(exported.isSubsetOf(read)).toBe(true);
});
