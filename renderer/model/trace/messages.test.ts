import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aSpan } from '../../fixtures/a-span.ts';
import { foldText } from '../text/fold-text.ts';
import { conversation, foldEarlier } from './conversation.ts';
import { readMessages } from './messages.ts';
import { readPayload, unwrapped } from './payload.ts';
import { oneLine, spanPreview } from './span-preview.ts';

const call = (id: string, args: unknown = {}) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', args });
const result = (id: string, value: unknown, isError?: boolean) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'look',
  result: value,
  isError,
});
const said = (role: string, content: unknown) => ({ role, content });
const text = JSON.stringify;

describe('reading payloads', () => {
  it('tells conversations, JSON, words and nothing apart', () => {
    expect(readPayload(text([said('user', 'hi')])).form).toBe('messages');
    expect(readPayload('{"a":1}')).toEqual({ form: 'json', value: { a: 1 } });
    expect(readPayload('[1,2]').form).toBe('json');
    expect(readPayload('12')).toEqual({ form: 'text', text: '12' });
    expect(readPayload('{"a": "cut o').form).toBe('text');
    expect(readPayload('').form).toBe('empty');
    expect(readPayload(null).form).toBe('empty');
  });

  it('shows the lone argument of a function as what it is', () => {
    expect(unwrapped(readPayload(text([said('user', '{"path":"src"}')])))).toEqual({ form: 'json', value: { path: 'src' } });
    expect(unwrapped(readPayload(text([said('user', 'plain')])))).toEqual({ form: 'text', text: 'plain' });
    expect(unwrapped(readPayload(text([said('system', 'x'), said('user', 'y')]))).form).toBe('messages');
  });

  it('reads every part, arguments twice quoted, and keeps an unknown part', () => {
    const content = [
      'a',
      { type: 'reasoning', text: 'hm' },
      call('1', '{"q":1}'),
      { type: 'image', image: 'data:image/png;base64,AAAA' },
      { type: 'odd', x: 1 },
      5,
    ];
    expect(readMessages(text([said('assistant', content)]))?.[0]?.parts).toEqual([
      { type: 'text', text: 'a' },
      { type: 'reasoning', text: 'hm' },
      { type: 'tool-call', id: '1', name: 'look', args: { q: 1 } },
      expect.objectContaining({ type: 'media', mimeType: 'image/png', modality: 'image', base64: 'AAAA', url: '' }),
      { type: 'data', value: { type: 'odd', x: 1 } },
      { type: 'data', value: 5 },
    ]);
  });

  it('survives any JSON there is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const messages = readMessages(text([said('user', a), said('__proto__', b)]));
        expect(messages).toHaveLength(2);
        if (messages) conversation(messages);
        spanPreview(aSpan({ input: text(a), output: text(b), tool_calls: text(a), span_kind: 'llm' }));
      }),
    );
  });
});

describe('conversation', () => {
  const cards = (messages: unknown[]) => conversation(readMessages(text(messages)) ?? []);

  it('puts the result of a call with the call', () => {
    const list = cards([
      said('assistant', ['looking', call('1'), call('2')]),
      said('tool', [result('2', 'two', true)]),
      said('tool', [result('1', 'one')]),
    ]);
    expect(list.map((card) => card.type)).toEqual(['text', 'tool', 'tool']);
    expect(list[1]).toMatchObject({ id: '1', result: { value: 'one', isError: false } });
    expect(list[2]).toMatchObject({ id: '2', result: { value: 'two', isError: true } });
  });

  it('shows a result without its call, and a call without its result', () => {
    const list = cards([said('tool', [result('9', 'alone')]), said('assistant', [call('1')])]);
    expect(list).toMatchObject([
      { called: false, result: { value: 'alone' } },
      { called: true, result: null },
    ]);
  });

  it('gives each of two calls with one id its own result', () => {
    const list = cards([
      said('assistant', [call('1')]),
      said('tool', [result('1', 'a')]),
      said('assistant', [call('1')]),
      said('tool', [result('1', 'b')]),
    ]);
    expect(list).toMatchObject([{ result: { value: 'a' } }, { result: { value: 'b' } }]);
  });

  it('joins split texts and leaves out empty ones', () => {
    expect(cards([said('assistant', ['a', 'b', { type: 'reasoning', text: ' ' }])])).toMatchObject([{ type: 'text', text: 'a\n\nb' }]);
  });

  it('folds the middle of a long conversation and loses nothing', () => {
    const list = cards([said('system', 's'), ...Array.from({ length: 20 }, (_, i) => said('user', `${i}`))]);
    const { head, hidden, tail } = foldEarlier(list);
    expect([head.length, hidden.length, tail.length]).toEqual([1, 14, 6]);
    expect([...head, ...hidden, ...tail]).toEqual(list);
    expect(foldEarlier(list.slice(0, 9)).hidden).toEqual([]);
  });
});

describe('text', () => {
  it('folds only what is long, and counts what it hides', () => {
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

  it('says JSON in words, also when it was cut off', () => {
    expect(oneLine('{"path":"src/a.ts","lines":[1,2]}')).toBe('src/a.ts, 1, 2');
    expect(oneLine('{"path": "src/a.ts", "li')).toBe('path : src/a.ts , li');
    expect(oneLine('two\n  lines')).toBe('two lines');
  });

  it('shows why a span failed, what a model answered, what a tool was given', () => {
    const input = text([said('system', 's'), said('user', 'why?')]);
    expect(spanPreview(aSpan({ status: 'ERROR', status_message: 'exit 1', input }))).toBe('exit 1');
    expect(spanPreview(aSpan({ span_kind: 'llm', input, output: 'because' }))).toBe('because');
    expect(spanPreview(aSpan({ span_kind: 'llm', input, tool_calls: text([call('1', { q: 'x' })]) }))).toBe('look(x)');
    expect(spanPreview(aSpan({ span_kind: 'tool', input: text([said('user', '{"q":"x"}')]), output: 'y' }))).toBe('x');
    expect(spanPreview(aSpan())).toBe('');
  });
});
