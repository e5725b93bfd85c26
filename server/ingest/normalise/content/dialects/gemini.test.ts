import { describe, expect, it } from 'vitest';
import { textMessage } from '../fixtures/span-with.ts';
import { decodeMessages } from '../message-decoder.ts';

describe('Gemini contents', () => {
  it('reads a request in camelCase and snake_case, with the role model as assistant', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Look' }, { inline_data: { mime_type: 'image/png', data: 'iVBOR' } }] },
      { role: 'model', parts: [{ function_call: { name: 'see', args: { a: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'r', name: 'see', response: { ok: true } } }] },
    ];
    expect(decodeMessages({ model: 'g', config: { system_instruction: 'Be brief' }, contents }, 'user', false)).toEqual([
      textMessage('system', 'Be brief'),
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look' },
          { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
        ],
      },
      { role: 'assistant', parts: [{ type: 'tool-call', id: '', name: 'see', args: { a: 1 } }] },
      { role: 'user', parts: [{ type: 'tool-result', id: 'r', name: 'see', result: { ok: true } }] },
    ]);
    const instruction = { systemInstruction: { parts: [{ text: 'Sys' }] }, contents: 'Hi' };
    expect(decodeMessages(instruction, 'user', false)).toEqual([textMessage('system', 'Sys'), textMessage('user', 'Hi')]);
  });

  it('joins the chunks of a streamed answer and keeps thoughts separate', () => {
    const parts = [{ text: 'Hm', thought: true, thoughtSignature: 's' }, { text: 'The capital ' }, { text: 'is Paris.' }];
    expect(decodeMessages({ content: { role: 'model', parts }, finish_reason: 'STOP' }, 'assistant', false)).toEqual([
      {
        role: 'assistant',
        finish_reason: 'STOP',
        parts: [
          { type: 'reasoning', text: 'Hm', signature: 's' },
          { type: 'text', text: 'The capital is Paris.' },
        ],
      },
    ]);
  });

  it('reads candidates and linked files', () => {
    const content = { parts: [{ fileData: { mimeType: 'video/mp4', fileUri: 'gs://bucket/a.mp4' } }] };
    expect(decodeMessages({ candidates: [{ content }] }, 'assistant', false)?.[0]?.parts).toEqual([
      { type: 'media', mimeType: 'video/mp4', modality: 'video', url: 'gs://bucket/a.mp4' },
    ]);
  });
});
