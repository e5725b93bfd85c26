import { describe, expect, it } from 'vitest';
import { textMessage } from '../fixtures/span-with.ts';
import { decodeMessages } from '../message-decoder.ts';

const firstPart = (part: object) => decodeMessages([{ role: 'user', content: [part] }], 'user', false)?.[0]?.parts[0];

describe('AI SDK content parts', () => {
  it('reads calls and results of versions 4 and 5', () => {
    expect(firstPart({ type: 'tool-call', toolCallId: 'c', toolName: 'f', args: { a: 1 } })).toMatchObject({
      id: 'c',
      name: 'f',
      args: { a: 1 },
    });
    expect(firstPart({ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '"{\\"a\\":1}"' })).toMatchObject({ args: { a: 1 } });
    expect(firstPart({ type: 'tool-result', toolCallId: 'c', toolName: 'f', result: { ok: 1 } })).toEqual({
      type: 'tool-result',
      id: 'c',
      name: 'f',
      result: { ok: 1 },
    });
    const failed = { type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'error-text', value: 'boom' } };
    expect(firstPart(failed)).toMatchObject({ result: { type: 'error-text', value: 'boom' }, isError: true });
  });

  it('reads images as bytes, base64, URL or serialised Buffer', () => {
    const bytes = [137, 80, 78, 71];
    const base64 = 'iVBORw==';
    const media = { type: 'media', mimeType: 'image/png', modality: 'image', base64 };
    expect(firstPart({ type: 'image', image: { type: 'Buffer', data: bytes }, mediaType: 'image/png' })).toEqual(media);
    expect(firstPart({ type: 'image', image: { 0: 137, 1: 80, 2: 78, 3: 71 }, mimeType: 'image/png' })).toEqual(media);
    expect(firstPart({ type: 'image', image: bytes, mimeType: 'image/png' })).toEqual(media);
    expect(firstPart({ type: 'file', data: base64, mediaType: 'image/png' })).toEqual(media);
    expect(firstPart({ type: 'image', image: `data:image/png;base64,${base64}` })).toEqual(media);
    expect(firstPart({ type: 'file', data: 'https://example.org/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' })).toEqual({
      type: 'media',
      mimeType: 'application/pdf',
      modality: 'file',
      url: 'https://example.org/a.pdf',
      name: 'a.pdf',
    });
  });

  it('reads a prompt with a system text, and a result of generateText', () => {
    const prompt = { system: 'Sys', prompt: [{ role: 'user', content: 'Hi' }] };
    expect(decodeMessages(prompt, 'user', false)).toEqual([textMessage('system', 'Sys'), textMessage('user', 'Hi')]);
    const result = {
      text: 'Yo',
      reasoning: [{ type: 'reasoning', text: 'hm' }],
      toolCalls: [{ toolCallId: 'c', toolName: 'f', args: {} }],
      files: [],
    };
    expect(decodeMessages(result, 'assistant', false)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'Yo' },
          { type: 'tool-call', id: 'c', name: 'f', args: {} },
        ],
      },
    ]);
  });

  it('reads {prompt: text} as a prompt only in a conversation', () => {
    expect(decodeMessages({ prompt: 'a red square' }, 'user', false)).toBeUndefined();
    expect(decodeMessages({ prompt: 'a red square' }, 'user', true)).toEqual([textMessage('user', 'a red square')]);
  });
});
