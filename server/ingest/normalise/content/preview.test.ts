import { describe, expect, it } from 'vitest';
import { json, spanWith } from './fixtures/span-with.ts';
import { previewOf } from './preview.ts';

const CHAT = { 'gen_ai.operation.name': 'chat' };
const output = (text: string) => previewOf(spanWith({ ...CHAT, 'gen_ai.completion': text })).output;

describe('a preview', () => {
  it('is at most 160 units and never half a surrogate pair', () => {
    expect(output('x'.repeat(161))).toBe('x'.repeat(160));
    expect(output(`${'x'.repeat(159)}🦉`)).toBe('x'.repeat(159));
    expect(output(`${'x'.repeat(158)}🦉🦉`)).toBe(`${'x'.repeat(158)}🦉`);
    expect(output('🦉'.repeat(200))).toBe('🦉'.repeat(80));
  });

  it('has its white space collapsed, and no NUL and no lone surrogate', () => {
    expect(output('  a\n\n\tb\u00a0 c\u0000d \ud800 e ')).toBe('a b c d \ufffd e');
    expect(output(`${' '.repeat(100_000)}late`)).toBe('late');
  });

  it('shows the last user message', () => {
    const messages = [
      { role: 'system', content: 'Sys' },
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'no' },
      { role: 'user', content: [{ type: 'text', text: 'second' }] },
      { role: 'tool', tool_call_id: 'c', content: 'result' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'result' }] },
    ];
    expect(previewOf(spanWith({ ...CHAT, 'gen_ai.input.messages': json(messages) })).input).toBe('second');
    expect(previewOf(spanWith({ ...CHAT, 'gen_ai.input.messages': json(messages.slice(4)) })).input).toBe('result');
  });

  it('shows the text of an answer, or its calls when there is no text', () => {
    const call = { id: 'c', function: { name: 'look', arguments: '{"at":"sky","for":{"bird":"owl"}}' } };
    const answer = { role: 'assistant', content: null, tool_calls: [call, call] };
    expect(output(json(answer))).toBe('look(at: sky, bird: owl), look(at: sky, bird: owl)');
    expect(output(json({ ...answer, content: 'Wait' }))).toBe('Wait');
    expect(output(json({ role: 'assistant', content: null, tool_calls: [{ function: { name: 'now', arguments: '{}' } }] }))).toBe('now()');
  });

  it('shows structured values without braces', () => {
    expect(output('{"name":"Ada","age":36,"languages":["en","fr"],"none":null}')).toBe('name: Ada, age: 36, languages: en, fr');
    expect(previewOf(spanWith({ 'input.value': '{"args":[],"kwargs":{}}' })).input).toBe('');
    expect(previewOf(spanWith({ 'input.value': '{"arg0":"owls","arg1":{"limit":3}}' })).input).toBe('owls, limit: 3');
  });

  it('shows the type of a media part without text', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBOR' } };
    expect(previewOf(spanWith({ ...CHAT, 'gen_ai.input.messages': json([{ role: 'user', content: [image] }]) })).input).toBe('image/png');
  });

  it('of a long history shows its end', () => {
    const turn = (index: number) => [
      { role: 'user', content: [{ type: 'text', text: `question "${index}" \\ [ {` }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'x'.repeat(200) },
          { type: 'tool-call', toolCallId: `c${index}`, toolName: 'f', args: { a: [1, 2] } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: `c${index}`, toolName: 'f', result: '"user"' }] },
    ];
    const long = Array.from({ length: 60 }, (_, index) => turn(index)).flat();
    const span = spanWith({ 'ai.operationId': 'ai.generateText.doGenerate', 'ai.prompt.messages': json(long) });
    expect(previewOf(span).input).toBe('question "59" \\ [ {');
  });

  it('is also made of a long list that is not a history or was truncated', () => {
    const rows = json(Array.from({ length: 2000 }, (_, index) => ({ id: index })));
    expect(previewOf(spanWith({ 'input.value': rows })).input).toMatch(/^id: 0, id: 1, id: 2/);
    const cut = `[${'{"role":"user","content":"Hi"},'.repeat(400)}{"role":"us`;
    expect(previewOf(spanWith({ ...CHAT, 'input.value': cut })).input).toMatch(/^\[\{"role":"user","content":"Hi"\}/);
  });

  it('is empty for a span without a payload', () => {
    expect(previewOf(spanWith({ 'http.request.method': 'GET', 'url.full': 'https://example.org' }))).toEqual({ input: '', output: '' });
  });
});
