import { describe, expect, it } from 'vitest';
import type { HistorySpan } from '../otlp-span.ts';
import {
  allSessions,
  earlierSession,
  forkedSession,
  longSession,
  readerOf,
  refusedSession,
  sessionsFolder,
  sessionText,
  writingSession,
} from './fixtures/recorded.ts';
import { recount } from './fixtures/recount.ts';

function spansOf(path: string, text = sessionText(path), isOver = true, sinceMs = 0): HistorySpan[] {
  const reader = readerOf(path, sinceMs);
  return [...text.split('\n').flatMap((line) => reader.read(line)), ...reader.end(isOver)];
}

const kindOf = ({ attributes }: HistorySpan): string => String(attributes['gen_ai.operation.name'] ?? 'compaction');
const named = (spans: HistorySpan[], name: string) => spans.filter((span) => span.name === name);
const kinds = (spans: HistorySpan[]) => [...Map.groupBy(spans, ({ traceId }) => traceId).values()].map((trace) => trace.map(kindOf).sort());
const failures = (spans: HistorySpan[]) => spans.filter(({ error }) => error !== null).map(({ name, error }) => [name, error]);

describe('a recorded session of pi', () => {
  const spans = spansOf(longSession);

  it('is a trace for each prompt, with its model calls, tools and compactions', () => {
    expect(kinds(spans)).toEqual([
      ['chat', 'chat', 'execute_tool', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      // The summary was written by a model.
      ['chat', 'chat', 'chat', 'chat', 'compaction', 'execute_tool', 'execute_tool', 'invoke_agent'],
      ['chat', 'invoke_agent'],
    ]);
  });

  it('says which tool failed, and why', () => {
    expect(failures(spans)).toEqual([
      ['execute_tool read', "ENOENT: no such file or directory, access '/home/ada/ferries/missing.txt'"],
      ['execute_tool bash', expect.stringContaining('Command exited with code 3')],
    ]);
  });

  it('has the folder, the files, the system prompt, the provider, and when each step began', () => {
    expect(named(spans, 'pi')[0]?.attributes).toMatchObject({
      'metadata.folder': '/home/ada/ferries',
      'session.id': longSession.slice(-42, -6),
    });
    expect(named(spans, 'execute_tool edit')[0]?.attributes['metadata.file']).toBe('notes.txt');
    const [call] = named(spans, 'chat claude-sonnet-4-5');
    expect(call?.attributes).toMatchObject({
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.system_instructions': expect.stringContaining('You are a coding assistant running inside pi'),
    });
    const durations = [...named(spans, 'chat claude-sonnet-4-5').slice(0, 1), ...named(spans, 'execute_tool bash').slice(0, 1)];
    expect(durations.map(({ startMs, endMs }) => (endMs ?? 0) - startMs)).toEqual([295, 174]);
  });

  it('has every thought', () => {
    const thoughts = allSessions
      .flatMap((path) => spansOf(path))
      .flatMap(({ attributes }) => JSON.parse(String(attributes['gen_ai.output.messages'] || '[]')))
      .flatMap(({ parts }) => parts.flatMap(({ type, content }: Record<string, string>) => (type === 'reasoning' ? content : [])));
    expect([thoughts.length > 0, thoughts]).toEqual([true, recount(sessionsFolder).thoughts]);
  });

  it('has only turns that began in time', () => {
    const starts = named(spans, 'pi').map(({ startMs }) => startMs);
    expect(named(spansOf(longSession, undefined, true, (starts[0] ?? 0) + 1), 'pi')).toHaveLength(starts.length - 1);
  });

  it('has of a fork what came after it', () => {
    expect(kinds(spansOf(forkedSession))).toEqual([['chat', 'chat', 'execute_tool', 'invoke_agent']]);
  });

  it('says that the API refused a prompt', () => {
    const message = expect.stringContaining('does not answer questions about the weather');
    expect(failures(spansOf(refusedSession))).toEqual([
      ['chat claude-sonnet-4-5', message],
      ['pi', message],
    ]);
  });
});

it('reads what earlier versions recorded: an answer that failed halfway and was asked for again, and a tool that was stopped', () => {
  const spans = spansOf(earlierSession);
  expect(failures(spans)).toEqual([
    ['execute_tool bash', 'Command aborted'],
    ['chat claude-sonnet-4-5', 'Request was aborted.'],
    ['pi', 'Request was aborted.'],
    ['chat claude-sonnet-4-5', expect.stringContaining('overloaded_error')],
  ]);
  const input = String(named(spans, 'chat claude-sonnet-4-5')[0]?.attributes['gen_ai.input.messages']);
  expect(JSON.parse(input).map(({ parts }: { parts: { type: string }[] }) => parts.map(({ type }) => type))).toEqual([
    ['text'],
    ['text', 'blob'],
  ]);
  expect(input).toContain('Ran `wc -l notes.txt`');
});

const header = '{"type":"session","id":"s","timestamp":"2025-12-01T10:00:00.000Z","cwd":"/a"}';
const message = (second: number, message: object, more: object = {}) =>
  JSON.stringify({ type: 'message', timestamp: `2025-12-01T10:00:0${second}.000Z`, message, ...more });

it('reads the first version, without ids, and tools whose ids are used again', () => {
  const call = {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'call_0', name: 'bash', arguments: { command: 'ls' } }],
    stopReason: 'toolUse',
  };
  const result = (text: string) => ({ role: 'toolResult', toolCallId: 'call_0', toolName: 'bash', content: [{ type: 'text', text }] });
  const lines = [
    header,
    message(1, { role: 'user', content: 'List' }),
    message(2, call),
    message(3, result('one')),
    message(4, call),
    message(5, result('two')),
  ];
  const tools = named(spansOf(writingSession, lines.join('\n')), 'execute_tool bash');
  expect(tools.map(({ attributes }) => attributes['gen_ai.tool.call.result'])).toEqual(['one', 'two']);
});

it('reads what a model gave where a text belongs: an object as the path of a tool, and texts within texts', () => {
  const hostile = { toString: 1 };
  const content = [
    { type: 'toolCall', id: 'c', name: 'read', arguments: { path: hostile } },
    { type: 'text', text: 'Reads' },
  ];
  const lines = [
    header,
    message(1, { role: 'user', content: 'List' }),
    message(2, { role: 'assistant', content, stopReason: 'toolUse' }),
    `{"type":"message","timestamp":"2025-12-01T10:00:03.000Z","message":{"role":"user","content":${nestedJson(20_000)}}}`,
  ];
  expect(kinds(spansOf(writingSession, lines.join('\n')))[0]).toEqual(['chat', 'execute_tool', 'invoke_agent']);
});

const nestedJson = (depth: number): string => `${'[{"type":"text","text":'.repeat(depth)}"deep"${'}]'.repeat(depth)}`;

it('has the tokens of models that were asked without a message', () => {
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 1, totalTokens: 10, cost: { total: 0.5 } };
  const at = '2025-12-01T10:00:02.000Z';
  const lines = [
    ...[header, message(1, { role: 'user', content: 'List' }, { id: 'u' })],
    JSON.stringify({ type: 'usage', id: 'w', timestamp: at, kind: 'cache_warm', provider: 'anthropic', model: 'm', usage }),
    message(3, { role: 'toolResult', toolCallId: 't', toolName: 'ask', content: [{ type: 'text', text: 'Yes' }], usage }, { id: 'r' }),
    JSON.stringify({ type: 'branch_summary', id: 'b', timestamp: at, summary: 'Left', usage }),
  ];
  const calls = spansOf(writingSession, lines.join('\n')).filter((span) => kindOf(span) === 'chat');
  expect(calls.map(({ name, attributes }) => [name, attributes['gen_ai.usage.input_tokens'], attributes['gen_ai.usage.cost']])).toEqual([
    ['chat m', 8, 0.5],
    ['chat', 8, 0.5],
    ['chat', 8, 0.5],
  ]);
});

describe('a session of pi that goes on', () => {
  it('has no end for what may still change, and the same spans for the rest, wherever its file ends', () => {
    for (const path of allSessions) {
      const lines = sessionText(path).split('\n');
      const whole = new Map(spansOf(path).map((span) => [span.spanId, span]));
      for (const count of lines.keys()) {
        for (const span of spansOf(path, lines.slice(0, count).join('\n'), false)) {
          if (span.endMs !== null) expect(span).toEqual(whole.get(span.spanId));
          else expect(whole.has(span.spanId), span.name).toBe(true);
        }
      }
    }
  });

  it('is read once, however often its lines were copied', () => {
    const ids = (text: string) =>
      spansOf(longSession, text)
        .map(({ spanId }) => spanId)
        .sort();
    const once = sessionText(longSession);
    expect(ids(once + once)).toEqual(ids(once));
  });
});

it('reads past whatever is renamed, missing or of another type', () => {
  const text = sessionText(longSession);
  const keys = new Set([...text.matchAll(/"(\w+)":/g)].map(([, key]) => key));
  for (const key of keys) {
    for (const changed of ['"renamed":', `"${key}":null,"renamed":`, `"${key}":7,"renamed":`]) {
      const spans = spansOf(
        longSession,
        text.replaceAll(`"${key}":`, () => changed),
      );
      expect(new Set(spans.map(({ traceId, spanId }) => traceId + spanId)).size).toBe(spans.length);
    }
  }
});
