import { describe, expect, it } from 'vitest';
import { decodeMessages } from '../message-decoder.ts';

describe('Anthropic content blocks', () => {
  it('reads thinking, text and tool use of an answer', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'xyz' },
      { type: 'text', text: 'I will look.' },
      { type: 'tool_use', id: 'tu1', name: 'look', input: { at: 'sky' } },
    ];
    const answer = { id: 'msg', type: 'message', role: 'assistant', content, stop_reason: 'tool_use' };
    expect(decodeMessages(answer, 'assistant', false)).toEqual([
      {
        role: 'assistant',
        finish_reason: 'tool_use',
        parts: [
          { type: 'reasoning', text: 'Hm.', signature: 'sig' },
          { type: 'reasoning', text: '', signature: 'xyz' },
          { type: 'text', text: 'I will look.' },
          { type: 'tool-call', id: 'tu1', name: 'look', args: { at: 'sky' } },
        ],
      },
    ]);
  });

  it('reads results and media of a user message', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 'tu1', content: [{ type: 'text', text: 'gone' }], is_error: true },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/' } },
      { type: 'document', title: 'A', source: { type: 'url', url: 'https://example.org/a.pdf' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
    ];
    expect(decodeMessages([{ role: 'user', content }], 'user', false)?.[0]?.parts).toEqual([
      { type: 'tool-result', id: 'tu1', result: [{ type: 'text', text: 'gone' }], isError: true },
      { type: 'media', mimeType: 'image/jpeg', modality: 'image', base64: '/9j/' },
      { type: 'media', mimeType: '', modality: 'file', url: 'https://example.org/a.pdf', name: 'A' },
      { type: 'data', value: content[3] },
    ]);
  });

  it('reads the content of an answer without its envelope', () => {
    const blocks = [
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 't', name: 'f', input: {} },
    ];
    expect(decodeMessages(blocks, 'assistant', false)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Hi' },
          { type: 'tool-call', id: 't', name: 'f', args: {} },
        ],
      },
    ]);
  });
});
