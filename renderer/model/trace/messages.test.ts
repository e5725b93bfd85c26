import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { foldText } from '../text/fold-text.ts';
import { conversation, foldEarlier } from './conversation.ts';
import { readMessages } from './messages.ts';
import { readPayload, unwrapArgument } from './payload.ts';
import { oneLine, spanPreview } from './span-preview.ts';

const call = (id: string, args: unknown = {}) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', args });
const result = (id: string, value: unknown, isError?: boolean) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'look',
  result: value,
  isError,
});
const message = (role: string, content: unknown) => ({ role, content });
const text = JSON.stringify;

describe('reading payloads', () => {
  it('tells conversations, JSON, text and empty payloads apart', () => {
    expect(readPayload(text([message('user', 'hi')])).form).toBe('messages');
    expect(readPayload('{"a":1}')).toEqual({ form: 'json', value: { a: 1 } });
    expect(readPayload('[1,2]').form).toBe('json');
    expect(readPayload('12')).toEqual({ form: 'text', text: '12' });
    expect(readPayload('{"a": "cut o').form).toBe('text');
    expect(readPayload('').form).toBe('empty');
    expect(readPayload(null).form).toBe('empty');
  });

  it('shows the only argument of a function without the message around it', () => {
    expect(unwrapArgument(readPayload(text([message('user', '{"path":"src"}')])))).toEqual({ form: 'json', value: { path: 'src' } });
    expect(unwrapArgument(readPayload(text([message('user', 'plain')])))).toEqual({ form: 'text', text: 'plain' });
    expect(unwrapArgument(readPayload(text([message('system', 'x'), message('user', 'y')]))).form).toBe('messages');
  });

  it('reads every part, parses arguments that are JSON in JSON, and keeps an unknown part', () => {
    const content = [
      'a',
      { type: 'reasoning', text: 'hm' },
      call('1', '{"q":1}'),
      { type: 'image', image: 'data:image/png;base64,AAAA' },
      { type: 'odd', x: 1 },
      5,
    ];
    expect(readMessages(text([message('assistant', content)]))?.[0]?.parts).toEqual([
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'hm' },
      { type: 'tool-call', id: '1', name: 'look', args: { q: 1 } },
      expect.objectContaining({ type: 'media', mimeType: 'image/png', modality: 'image', base64: 'AAAA', url: '' }),
      { type: 'data', value: { type: 'odd', x: 1 } },
      { type: 'data', value: 5 },
    ]);
  });

  it('does not throw on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const messages = readMessages(text([message('user', a), message('__proto__', b)]));
        expect(messages).toHaveLength(2);
        if (messages) conversation(messages);
        spanPreview(aSpan({ input: text(a), output: text(b), tool_calls: text(a), span_kind: 'llm' }));
      }),
    );
  });
});

describe('conversation', () => {
  const cards = (messages: unknown[]) => conversation(readMessages(text(messages)) ?? []);

  it('joins a tool result with its call', () => {
    const list = cards([
      message('assistant', ['looking', call('1'), call('2')]),
      message('tool', [result('2', 'two', true)]),
      message('tool', [result('1', 'one')]),
    ]);
    expect(list.map((card) => card.type)).toEqual(['text', 'tool', 'tool']);
    expect(list[1]).toMatchObject({ id: '1', result: { value: 'one', isError: false } });
    expect(list[2]).toMatchObject({ id: '2', result: { value: 'two', isError: true } });
  });

  it('shows a result without its call, and a call without its result', () => {
    const list = cards([message('tool', [result('9', 'alone')]), message('assistant', [call('1')])]);
    expect(list).toMatchObject([
      { called: false, result: { value: 'alone' } },
      { called: true, result: null },
    ]);
  });

  it('gives each of two calls with the same id its own result', () => {
    const list = cards([
      message('assistant', [call('1')]),
      message('tool', [result('1', 'a')]),
      message('assistant', [call('1')]),
      message('tool', [result('1', 'b')]),
    ]);
    expect(list).toMatchObject([{ result: { value: 'a' } }, { result: { value: 'b' } }]);
  });

  it('joins split texts and leaves out empty ones', () => {
    expect(cards([message('assistant', ['a', 'b', { type: 'reasoning', text: ' ' }])])).toMatchObject([{ type: 'text', text: 'a\n\nb' }]);
  });

  it('collapses the middle of a long conversation without losing cards', () => {
    const list = cards([message('system', 's'), ...Array.from({ length: 20 }, (_, i) => message('user', `${i}`))]);
    const { head, hidden, tail } = foldEarlier(list);
    expect([head.length, hidden.length, tail.length]).toEqual([1, 14, 6]);
    expect([...head, ...hidden, ...tail]).toEqual(list);
    expect(foldEarlier(list.slice(0, 9)).hidden).toEqual([]);
  });
});

describe('text', () => {
  it('collapses only long texts, and counts the hidden characters', () => {
    expect(foldText('x'.repeat(4000))).toBeNull();
    fc.assert(
      fc.property(fc.string({ minLength: 4001, maxLength: 6000, unit: fc.constantFrom('a', '\n', '😀') }), (value) => {
        const folded = foldText(value);
        if (!folded) return;
        expect(folded.head.length + folded.hiddenChars + folded.tail.length).toBe(value.length);
        expect(folded.head.isWellFormed() && folded.tail.isWellFormed()).toBe(true);
      }),
    );
  });

  it('shows JSON as plain values, also when it is truncated', () => {
    expect(oneLine('{"path":"src/a.ts","lines":[1,2]}')).toBe('src/a.ts, 1, 2');
    expect(oneLine('{"path": "src/a.ts", "li')).toBe('path : src/a.ts , li');
    expect(oneLine('two\n  lines')).toBe('two lines');
  });

  it('shows the error of a failed span, the output of a model and the input of a tool', () => {
    const input = text([message('system', 's'), message('user', 'why?')]);
    expect(spanPreview(aSpan({ status: 'ERROR', status_message: 'exit 1', input }))).toBe('exit 1');
    expect(spanPreview(aSpan({ span_kind: 'llm', input, output: 'because' }))).toBe('because');
    expect(spanPreview(aSpan({ span_kind: 'llm', input, tool_calls: text([call('1', { q: 'x' })]) }))).toBe('look(x)');
    expect(spanPreview(aSpan({ span_kind: 'tool', input: text([message('user', '{"q":"x"}')]), output: 'y' }))).toBe('x');
    expect(spanPreview(aSpan())).toBe('');
  });
});
