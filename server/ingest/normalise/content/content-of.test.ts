import { describe, expect, it } from 'vitest';
import { contentOf, explainContent } from './content-of.ts';
import { inputOf, json, spanWith, textMessage, toolCallsOf } from './fixtures/span-with.ts';

const CHAT = { 'gen_ai.operation.name': 'chat' };
const parts = (role: string, ...list: object[]) => ({ role, parts: list });
const text = (content: string) => ({ type: 'text', content });

describe('the stored input', () => {
  it('is a list of messages whose content is a string when it is one text, and parts otherwise', () => {
    const call = { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 'sky' } };
    const response = { type: 'tool_call_response', id: 'c1', response: { seen: 'owl' } };
    const messages = [parts('user', text('Hi')), parts('assistant', text('Wait'), call), parts('tool', response)];
    expect(inputOf(spanWith({ ...CHAT, 'gen_ai.input.messages': json(messages) }))).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Wait' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'look', args: { at: 'sky' } },
        ],
      },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'look', result: { seen: 'owl' } }] },
    ]);
  });

  it('is one user message for free text of a model call, and the text itself for a function', () => {
    expect(inputOf(spanWith({ ...CHAT, 'input.value': 'Hi there' }))).toEqual([{ role: 'user', content: 'Hi there' }]);
    expect(contentOf(spanWith({ 'input.value': 'Hi there' })).input).toBe('Hi there');
    expect(contentOf(spanWith({ 'input.value': '{"q":"Hi"}' })).input).toBe('{"q":"Hi"}');
    expect(inputOf(spanWith({ 'openinference.span.kind': 'AGENT', 'input.value': '{"q":"Hi"}' }))).toEqual([
      { role: 'user', content: '{"q":"Hi"}' },
    ]);
  });

  it('is messages for a function whose input is messages', () => {
    const span = spanWith({ 'openinference.span.kind': 'CHAIN', 'input.value': json({ messages: [{ role: 'user', content: 'Hi' }] }) });
    expect(inputOf(span)).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(contentOf(span).input_messages).toEqual([textMessage('user', 'Hi')]);
  });

  it('starts with the system instructions unless a system message is already first', () => {
    const instructions = { 'gen_ai.system_instructions': json([text('Be brief.')]) };
    const userMessages = json([parts('user', text('Hi'))]);
    const withInstructions = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ];
    expect(inputOf(spanWith({ ...CHAT, ...instructions, 'gen_ai.input.messages': userMessages }))).toEqual(withInstructions);
    const own = json([parts('system', text('Mine.')), parts('user', text('Hi'))]);
    expect(inputOf(spanWith({ ...CHAT, ...instructions, 'gen_ai.input.messages': own }))).toMatchObject([{ content: 'Mine.' }, {}]);
    expect(inputOf(spanWith({ ...CHAT, 'gen_ai.system_instructions': 'Be brief.', 'gen_ai.input.messages': userMessages }))).toEqual(
      withInstructions,
    );
    expect(inputOf(spanWith({ ...CHAT, 'agentmark.input': 'Hi', ...instructions }))).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it('keeps JSON that its sender truncated as text', () => {
    const cut = '[{"role":"user","content":"Hello, I am a very lo';
    expect(inputOf(spanWith({ ...CHAT, 'gen_ai.input.messages': cut }))).toEqual([{ role: 'user', content: cut }]);
  });

  it('reads structured attribute values as well as JSON text', () => {
    const part = {
      map: [
        ['type', 'text'],
        ['content', 'Hi'],
      ] as [string, string][],
    };
    const message = {
      map: [
        ['role', 'user'],
        ['parts', [part]],
      ] as [string, string | (typeof part)[]][],
    };
    expect(inputOf(spanWith({ ...CHAT, 'gen_ai.input.messages': [message] }))).toEqual([{ role: 'user', content: 'Hi' }]);
  });
});

describe('the stored output', () => {
  it('keeps text and tool calls of one answer', () => {
    const answer = [parts('assistant', text('Wait'), text('a bit'), { type: 'tool_call', id: 'c', name: 'f', arguments: '{"a":1}' })];
    const span = spanWith({ ...CHAT, 'gen_ai.output.messages': json(answer) });
    expect(contentOf(span)).toMatchObject({ output: 'Wait\na bit', output_object: '' });
    expect(toolCallsOf(span)).toEqual([{ type: 'tool-call', toolCallId: 'c', toolName: 'f', args: { a: 1 } }]);
  });

  it('is structured when the answer is JSON, and unquoted when it is a quoted text', () => {
    const object = '{"name":"Ada"}';
    expect(contentOf(spanWith({ ...CHAT, 'gen_ai.completion': object }))).toMatchObject({ output: object, output_object: object });
    const spoken = json([parts('assistant', text(object))]);
    expect(contentOf(spanWith({ ...CHAT, 'gen_ai.output.messages': spoken }))).toMatchObject({ output: object, output_object: object });
    expect(contentOf(spanWith({ 'traceloop.entity.output': '"Paris \\"now\\""' }))).toMatchObject({
      output: 'Paris "now"',
      output_object: '',
    });
    expect(contentOf(spanWith({ ...CHAT, 'gen_ai.completion': '42' }))).toMatchObject({ output: '42', output_object: '' });
  });

  it('pairs the calls of an answer with results that it holds', () => {
    const call = { type: 'tool_call', id: 'c', name: 'f', arguments: {} };
    const answer = [
      parts('assistant', call),
      parts('tool', { type: 'tool_call_response', id: 'c', response: 7 }),
      parts('assistant', text('7')),
    ];
    const span = spanWith({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.output.messages': json(answer) });
    expect(toolCallsOf(span)).toEqual([{ type: 'tool-call', toolCallId: 'c', toolName: 'f', args: {}, result: 7 }]);
    expect(contentOf(span).output).toBe('7');
  });

  it('shows generated media by the shape of the contract', () => {
    const image = { mediaType: 'image/png', base64: 'iVBOR' };
    const direct = contentOf(spanWith({ ...CHAT, 'agentmark.output': json([image]) }));
    expect(direct.output).toBe(json([image]));
    expect(direct.output_messages).toEqual([
      { role: 'assistant', parts: [{ type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' }] },
    ]);
    const files = contentOf(
      spanWith({ 'ai.operationId': 'ai.generateText.doGenerate', 'ai.response.files': json([{ type: 'file', ...image }]) }),
    );
    expect(JSON.parse(files.output)).toEqual([{ mimeType: 'image/png', base64: 'iVBOR' }]);
    const deep = contentOf(
      spanWith({ 'output.value': json({ result: { audio: { mimeType: 'audio/wav', base64: 'UklGR', format: 'wav' } } }) }),
    );
    expect(deep.output_messages[0]?.parts).toMatchObject([{ modality: 'audio', base64: 'UklGR' }]);
  });

  it('has no NUL character and no lone surrogate', () => {
    expect(contentOf(spanWith({ ...CHAT, 'gen_ai.completion': 'a\u0000b\ud800' })).output).toBe('ab\ufffd');
    expect(contentOf(spanWith({ 'output.value': 'a\u0000b', 'input.value': 'c\ud800' }))).toMatchObject({ output: 'ab', input: 'c\ufffd' });
  });

  it('falls through to the next source when one is empty', () => {
    const empty = json([parts('assistant', text(''))]);
    const attributes = {
      ...CHAT,
      'gen_ai.output.messages': empty,
      'output.value': 'said',
      'llm.output_messages.0.message.role': 'assistant',
    };
    expect(contentOf(spanWith(attributes)).output).toBe('said');
    expect(explainContent(spanWith(attributes))).toMatchObject({ output: 'output.value' });
  });
});

describe('the sources of a span', () => {
  it('are tried in the order of the contract', () => {
    const all = [
      'gen_ai.request.input',
      'agentmark.request.input',
      'agentmark.input',
      'gen_ai.input.messages',
      'gen_ai.prompt',
      'ai.prompt',
      'input.value',
    ];
    for (let first = 0; first < all.length; first++) {
      const span = spanWith({ ...CHAT, ...Object.fromEntries(all.slice(first).map((key) => [key, `from ${key}`])) });
      expect(inputOf(span)).toEqual([{ role: 'user', content: `from ${all[first]}` }]);
      expect(explainContent(span)).toEqual({ input: all[first] });
    }
  });

  it('are named by explainContent', () => {
    const span = spanWith({
      ...CHAT,
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Hi',
      'gen_ai.request.temperature': 0.5,
      'llm.invocation_parameters': '{"max_tokens":9,"temperature":1}',
      'agentmark.metadata.props': '{"a":1}',
      'ai.prompt.tools': ['{"name":"f"}'],
    });
    expect(explainContent(span)).toEqual({
      input: 'llm.input_messages.*',
      tool_definitions: 'ai.prompt.tools',
      props: 'agentmark.metadata.props',
      settings: 'gen_ai.request.temperature, llm.invocation_parameters',
    });
    expect(contentOf(span)).toMatchObject({
      settings: '{"temperature":0.5,"maxTokens":9}',
      props: '{"a":1}',
      tool_definitions: '[{"name":"f"}]',
    });
  });

  it('keep the inputs and expectations of experiments as they were sent', () => {
    const span = spanWith({ 'agentmark.dataset_input': '{"q":1}', 'agentmark.metadata.dataset_expected_output': '"night"' });
    expect(contentOf(span)).toMatchObject({ dataset_input: '{"q":1}', dataset_expected_output: '"night"' });
  });
});
