import { describe, expect, it } from 'vitest';
import type { HistorySpan } from '../otlp-span.ts';
import { ChatReader } from './chat-reader.ts';
import { agentFile, delegatingSession, failingSession, longSession, sessionText } from './fixtures/recorded.ts';

function spansOf(text: string, isOver = true, sinceMs = 0): HistorySpan[] {
  const reader = new ChatReader({ sinceMs, start: null });
  return [...text.split('\n').flatMap((line) => reader.read(line)), ...reader.end(isOver)];
}

const kindOf = ({ attributes }: HistorySpan): string => String(attributes['gen_ai.operation.name'] ?? 'compaction');
const named = (spans: HistorySpan[], name: string) => spans.filter((span) => span.name === name);
const kinds = (spans: HistorySpan[]) => [...Map.groupBy(spans, ({ traceId }) => traceId).values()].map((trace) => trace.map(kindOf).sort());

describe('a recorded session of Gemini CLI', () => {
  const spans = spansOf(sessionText(longSession));

  it('is a trace for each prompt, with its model calls, tools and compactions', () => {
    expect(kinds(spans)).toEqual([
      ['chat', 'chat', 'execute_tool', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'execute_tool', 'invoke_agent'],
      ['chat', 'chat', 'compaction', 'compaction', 'execute_tool', 'execute_tool', 'invoke_agent'],
    ]);
  });

  it('says which tool failed, and why', () => {
    const failed = spans.filter(({ error }) => error !== null).map(({ name, error }) => [name, error]);
    expect(failed).toEqual([['execute_tool read_file', 'File not found: /home/ada/ferries/missing.txt']]);
  });

  it('has the folder, and the files', () => {
    expect(named(spans, 'gemini-cli')[0]?.attributes['metadata.folder']).toBe('/home/ada/ferries');
    expect(named(spans, 'execute_tool replace')[0]?.attributes['metadata.file']).toBe('notes.txt');
  });

  it('has only turns that began in time', () => {
    const starts = named(spans, 'gemini-cli').map(({ startMs }) => startMs);
    expect(named(spansOf(sessionText(longSession), true, (starts[0] ?? 0) + 1), 'gemini-cli')).toHaveLength(starts.length - 1);
  });

  it('has a sub-agent below the tool that it was', () => {
    const parent = new ChatReader({ sinceMs: 0, start: null });
    const read = (reader: ChatReader, path: string) =>
      sessionText(path)
        .split('\n')
        .flatMap((line) => reader.read(line));
    const [tool] = named(read(parent, delegatingSession), 'execute_tool invoke_agent');
    const start = [...parent.agents.values()][0];
    const child = new ChatReader({ sinceMs: 0, start: start ?? null });
    const [root] = named([...read(child, agentFile), ...child.end(true)], 'codebase_investigator');
    expect([root?.traceId, root?.parentSpanId]).toEqual([tool?.traceId, tool?.spanId]);
    expect(root?.attributes['session.id']).toBe(parent.sessionId);
  });
});

describe('a session of Gemini CLI that goes on', () => {
  const lines = sessionText(longSession).split('\n');
  const whole = new Map(spansOf(lines.join('\n')).map((span) => [span.spanId, span]));

  it('has no end for what may still change, and the same spans for the rest, wherever its file ends', () => {
    for (const count of lines.keys()) {
      for (const span of spansOf(lines.slice(0, count).join('\n'), false)) {
        if (span.endMs !== null) expect(span).toEqual(whole.get(span.spanId));
        else expect(whole.has(span.spanId), span.name).toBe(true);
      }
    }
  });

  it('is read once, however often its lines were copied', () => {
    const once = sessionText(failingSession).trim().split('\n');
    const ids = (text: string) =>
      spansOf(text)
        .map(({ spanId }) => spanId)
        .sort();
    expect(ids([...once, ...once].join('\n'))).toEqual(ids(once.join('\n')));
  });
});

const at = (second: number) => `2025-10-01T10:00:0${second}.000Z`;
/** As versions before 0.30 write it. */
const document = {
  ...{ sessionId: 's', projectHash: 'p', startTime: at(0), lastUpdated: at(5) },
  messages: [
    { id: 'u0', timestamp: at(0), type: 'user', content: '/model' },
    { id: 'u1', timestamp: at(1), type: 'user', content: 'Count the ferries' },
    {
      ...{
        id: 'g1',
        timestamp: at(2),
        type: 'gemini',
        content: '',
        model: 'gemini-2.5-pro',
        thoughts: [{ subject: 'Count', description: 'Three.' }],
      },
      tokens: { input: 10, output: 2, cached: 4, thoughts: 3, tool: 1, total: 16 },
      toolCalls: [{ id: 't1', name: 'read_file', args: { absolute_path: '/a' }, result: null, status: 'cancelled', timestamp: at(3) }],
    },
    { id: 'e1', timestamp: at(4), type: 'error', content: '[API Error: 500]' },
  ],
};

it('reads the documents of earlier versions', () => {
  const spans = spansOf(JSON.stringify(document, null, 2).replaceAll('\n', ' '));
  expect(kinds(spans)).toEqual([['chat', 'execute_tool', 'invoke_agent']]);
  const [call] = named(spans, 'chat gemini-2.5-pro');
  expect(call?.attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.cache_read.input_tokens': 4,
    'gen_ai.usage.reasoning.output_tokens': 3,
  });
  expect(spans.map(({ error }) => error)).toEqual([null, 'cancelled', '[API Error: 500]']);
  expect(named(spans, 'gemini-cli')[0]?.attributes['gen_ai.input.messages']).toContain('Count the ferries');
});

it('reads past whatever is renamed, missing or of another type', () => {
  const text = sessionText(longSession);
  const keys = new Set([...text.matchAll(/"(\$?\w+)":/g)].map(([, key]) => key));
  for (const key of keys) {
    for (const changed of ['"renamed":', `"${key}":null,"renamed":`, `"${key}":7,"renamed":`]) {
      const spans = spansOf(text.replaceAll(`"${key}":`, () => changed));
      expect(new Set(spans.map(({ traceId, spanId }) => traceId + spanId)).size).toBe(spans.length);
    }
  }
});
