import { describe, expect, it } from 'vitest';
import { textMessage } from '../fixtures/span-with.ts';
import { decodeMessages } from '../message-decoder.ts';

const parts = (content: unknown) => decodeMessages([{ role: 'user', content }], 'user', false)?.[0]?.parts;

describe('OTel GenAI parts', () => {
  it('reads every part of the conventions', () => {
    const sent = [
      { type: 'text', content: 'Hi' },
      { type: 'reasoning', content: 'hm' },
      { type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } },
      { type: 'tool_call_response', id: 'c', response: { ok: 1 } },
      { type: 'tool_call_response', id: 'd', result: 'older' },
      { type: 'blob', mime_type: 'image/png', modality: 'image', content: 'iVBOR' },
      { type: 'uri', mime_type: 'audio/wav', modality: 'audio', uri: 'https://example.org/a.wav' },
      { type: 'file', modality: 'image', file_id: 'f1' },
      { type: 'server_tool_call', id: 's', name: 'web', server_tool_call: { q: 1 } },
      { type: 'generic', anything: true },
    ];
    expect(decodeMessages([{ role: 'assistant', parts: sent }], 'user', false)?.[0]?.parts).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'reasoning', text: 'hm' },
      { type: 'tool-call', id: 'c', name: 'f', args: { a: 1 } },
      { type: 'tool-result', id: 'c', result: { ok: 1 } },
      { type: 'tool-result', id: 'd', result: 'older' },
      { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
      { type: 'media', mimeType: 'audio/wav', modality: 'audio', url: 'https://example.org/a.wav' },
      { type: 'media', mimeType: '', modality: 'image', fileId: 'f1' },
      { type: 'tool-call', id: 's', name: 'web', args: { q: 1 }, providerExecuted: true },
      { type: 'data', value: sent[9] },
    ]);
  });
});

describe('Bedrock Converse', () => {
  it('reads blocks that are identified by their only key', () => {
    const content = [
      { text: 'Hi' },
      { reasoningContent: { reasoningText: { text: 'hm', signature: 's' } } },
      { toolUse: { toolUseId: 't', name: 'f', input: { a: 1 } } },
      { toolResult: { toolUseId: 't', content: [{ text: 'no' }], status: 'error' } },
      { image: { format: 'png', source: { bytes: 'iVBOR' } } },
    ];
    expect(parts(content)).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'reasoning', text: 'hm', signature: 's' },
      { type: 'tool-call', id: 't', name: 'f', args: { a: 1 } },
      { type: 'tool-result', id: 't', result: [{ text: 'no' }], isError: true },
      { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
    ]);
  });

  it('reads a response', () => {
    const response = { output: { message: { role: 'assistant', content: [{ text: 'Yo' }] } }, stopReason: 'end_turn' };
    expect(decodeMessages(response, 'assistant', false)).toEqual([{ ...textMessage('assistant', 'Yo'), finish_reason: 'end_turn' }]);
  });
});

describe('Genkit', () => {
  it('reads parts, and joins the text of a streamed answer', () => {
    const request = [{ toolRequest: { name: 'f', ref: 'r', input: { a: 1 } } }, { toolResponse: { name: 'f', ref: 'r', output: 2 } }];
    expect(parts([...request, { media: { url: 'data:image/png;base64,iVBOR', contentType: 'image/png' } }])).toEqual([
      { type: 'tool-call', id: 'r', name: 'f', args: { a: 1 } },
      { type: 'tool-result', id: 'r', name: 'f', result: 2 },
      { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
    ]);
    const message = { role: 'model', content: [{ text: 'The ' }, { text: 'end' }] };
    const answer = { ...textMessage('assistant', 'The end'), finish_reason: 'stop' };
    expect(decodeMessages({ message, finishReason: 'stop', usage: {} }, 'assistant', false)).toEqual([answer]);
    expect(decodeMessages({ candidates: [{ index: 0, message, finishReason: 'stop' }] }, 'assistant', false)).toEqual([answer]);
  });
});

describe('smaller dialects', () => {
  it('reads content that is identified by its kind (Pydantic AI)', () => {
    expect(
      parts([
        { kind: 'text', text: 'Hi' },
        { kind: 'image-url', url: 'https://example.org/a.png' },
      ]),
    ).toEqual([
      { type: 'text', text: 'Hi' },
      { type: 'media', mimeType: '', modality: 'image', url: 'https://example.org/a.png' },
    ]);
    expect(parts([{ kind: 'binary', media_type: 'image/png', binary_content: 'iVBOR' }])).toEqual([
      { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
    ]);
  });

  it('reads a LiveKit chat context', () => {
    const items = [
      { type: 'message', role: 'user', content: ['Hi'] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    ];
    expect(decodeMessages({ items }, 'user', false)).toEqual([
      textMessage('user', 'Hi'),
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c', name: 'f', args: {} }] },
    ]);
  });

  it('reads a Cohere request and old completion bodies', () => {
    const request = { message: 'And now?', chat_history: [{ role: 'CHATBOT', message: 'Yo' }], preamble: 'Sys' };
    expect(decodeMessages(request, 'user', false)).toEqual([
      textMessage('system', 'Sys'),
      textMessage('assistant', 'Yo'),
      textMessage('user', 'And now?'),
    ]);
    expect(decodeMessages({ completion: 'Yo', stop_reason: 'stop' }, 'assistant', false)).toEqual([textMessage('assistant', 'Yo')]);
    expect(decodeMessages({ combined_chunk_content: 'Yo', chunk_count: 3 }, 'assistant', false)).toEqual([textMessage('assistant', 'Yo')]);
    expect(decodeMessages({ response: 'ok' }, 'assistant', false)).toBeUndefined();
  });

  it('finds the messages among the arguments of a function', () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    expect(decodeMessages({ args: [], kwargs: { messages } }, 'user', false)).toEqual([textMessage('user', 'Hi')]);
    expect(decodeMessages({ args: [7, messages], kwargs: {} }, 'user', false)).toEqual([textMessage('user', 'Hi')]);
    expect(decodeMessages({ arg0: messages, arg1: 'x' }, 'user', false)).toEqual([textMessage('user', 'Hi')]);
    expect(decodeMessages({ args: ['owls'], kwargs: {} }, 'user', false)).toBeUndefined();
  });

  it('keeps an entry between messages that is not a message', () => {
    const messages = decodeMessages([{ role: 'user', content: 'Hi' }, { odd: 1 }, null], 'user', false);
    expect(messages).toEqual([textMessage('user', 'Hi'), { role: 'user', parts: [{ type: 'data', value: { odd: 1 } }] }]);
  });

  it('does not read documents, rows and numbers as messages', () => {
    expect(decodeMessages([{ id: 'd1', text: 'Owls hunt.' }], 'assistant', false)).toBeUndefined();
    expect(decodeMessages([1, 2, 3], 'assistant', true)).toBeUndefined();
    expect(decodeMessages({ status: 'shipped' }, 'assistant', true)).toBeUndefined();
  });
});
