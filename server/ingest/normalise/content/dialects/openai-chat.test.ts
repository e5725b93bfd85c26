import { describe, expect, it } from 'vitest';
import { textMessage } from '../fixtures/span-with.ts';
import { decodeMessages } from '../message-decoder.ts';

const read = (value: unknown) => decodeMessages(value, 'user', false);

describe('OpenAI chat messages', () => {
  it('keeps both text and tool calls of one message, with the arguments parsed once', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'search', arguments: '{"q":"owls","deep":{"n":1}}' } };
    expect(read([{ role: 'assistant', content: 'Let me look.', tool_calls: [call] }])).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', id: 'c1', name: 'search', args: { q: 'owls', deep: { n: 1 } } },
        ],
      },
    ]);
  });

  it('keeps truncated arguments as text', () => {
    const call = { id: 'c1', function: { name: 'search', arguments: '{"q":"ow' } };
    expect(read([{ role: 'assistant', content: null, tool_calls: [call] }])?.[0]?.parts).toEqual([
      { type: 'tool-call', id: 'c1', name: 'search', args: '{"q":"ow' },
    ]);
  });

  it('reads a tool message as the result of its call', () => {
    expect(read([{ role: 'tool', tool_call_id: 'c1', content: '{"temp":20}' }])).toEqual([
      { role: 'tool', parts: [{ type: 'tool-result', id: 'c1', result: '{"temp":20}' }] },
    ]);
  });

  it('reads images, audio and files of a multi-part message', () => {
    const content = [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBOR' } },
      { type: 'image_url', image_url: { url: 'https://example.org/a.jpg' } },
      { type: 'input_audio', input_audio: { data: 'UklGR', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBER' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ];
    expect(read([{ role: 'user', content }])?.[0]?.parts).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
      { type: 'media', mimeType: '', modality: 'image', url: 'https://example.org/a.jpg' },
      { type: 'media', mimeType: 'audio/wav', modality: 'audio', base64: 'UklGR' },
      { type: 'media', mimeType: 'application/pdf', modality: 'file', base64: 'JVBER', name: 'a.pdf' },
      { type: 'media', mimeType: '', modality: 'file', fileId: 'file-1' },
    ]);
  });

  it('keeps reasoning separate from the answer', () => {
    expect(read([{ role: 'assistant', content: 'Yes.', reasoning_content: 'Divide by 2, 3.' }])?.[0]?.parts).toEqual([
      { type: 'reasoning', text: 'Divide by 2, 3.' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('reads a request with a system text, a response with choices, and bare choices', () => {
    expect(read({ system: 'Be brief.', messages: [{ role: 'user', content: 'Hi' }] })).toEqual([
      textMessage('system', 'Be brief.'),
      textMessage('user', 'Hi'),
    ]);
    const choice = { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' };
    const answer = { ...textMessage('assistant', 'Hello'), finish_reason: 'stop' };
    expect(read({ id: 'x', choices: [choice] })).toEqual([answer]);
    expect(read([choice])).toEqual([answer]);
  });

  it('reads the old function_call, a refusal and a completion without a message', () => {
    const called = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } };
    expect(read([called])?.[0]?.parts).toEqual([{ type: 'tool-call', id: '', name: 'f', args: {} }]);
    expect(read([{ role: 'assistant', content: null, refusal: 'I cannot.' }])).toEqual([textMessage('assistant', 'I cannot.')]);
    expect(read({ choices: [{ text: 'once upon' }] })).toEqual([textMessage('assistant', 'once upon')]);
  });

  it('does not take a list of people with roles for a conversation', () => {
    expect(read([{ role: 'admin', name: 'Ada' }])).toBeUndefined();
    expect(read([{ role: 'user', name: 'Ada' }])).toBeUndefined();
    expect(read({ role: 'system', id: 4 })).toBeUndefined();
  });
});
