import { describe, expect, it } from 'vitest';
import { textMessage } from '../fixtures/span-with.ts';
import { decodeMessages } from '../message-decoder.ts';

describe('OpenAI Responses items', () => {
  it('makes one message of the items of one answer', () => {
    const output = [
      { id: 'rs', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think.' }] },
      { id: 'm', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.', annotations: [] }] },
      { id: 'f', type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"a":1}' },
    ];
    expect(decodeMessages({ object: 'response', output }, 'assistant', false)).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Think.' },
          { type: 'text', text: 'Yes.' },
          { type: 'tool-call', id: 'c1', name: 'look', args: { a: 1 } },
        ],
      },
    ]);
  });

  it('reads a request with instructions and results of calls', () => {
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: '{"x":1}' },
    ];
    expect(decodeMessages({ model: 'm', instructions: 'Be brief', input }, 'user', false)).toEqual([
      textMessage('system', 'Be brief'),
      textMessage('user', 'Hi'),
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'look', args: {} }] },
      { role: 'tool', parts: [{ type: 'tool-result', id: 'c1', result: '{"x":1}' }] },
    ]);
    expect(decodeMessages({ model: 'm', input: 'Hi' }, 'user', false)).toEqual([textMessage('user', 'Hi')]);
  });

  it('does not read an object with an input as a request without other fields of one', () => {
    expect(decodeMessages({ input: 'owls' }, 'user', false)).toBeUndefined();
    expect(decodeMessages({ output: ['a', 'b'] }, 'assistant', false)).toBeUndefined();
  });

  it('reads provider-executed tools, MCP calls with their results, and generated images', () => {
    const output = [
      { type: 'web_search_call', id: 'ws', action: { type: 'search', query: 'owls' } },
      { type: 'mcp_call', id: 'mc', name: 'roll', arguments: '{"d":6}', output: '4' },
      { type: 'image_generation_call', id: 'ig', result: 'iVBOR', output_format: 'png' },
    ];
    expect(decodeMessages({ output }, 'assistant', false)?.[0]?.parts).toEqual([
      { type: 'tool-call', id: 'ws', name: 'web_search', args: { type: 'search', query: 'owls' }, providerExecuted: true },
      { type: 'tool-call', id: 'mc', name: 'roll', args: { d: 6 }, providerExecuted: true },
      { type: 'tool-result', id: 'mc', name: 'roll', result: '4' },
      { type: 'media', mimeType: 'image/png', modality: 'image', base64: 'iVBOR' },
    ]);
  });

  it('reads the camelCase items of the Agents SDK for JavaScript', () => {
    const items = [
      { type: 'function_call', callId: 'c1', name: 'look', arguments: '{}' },
      { type: 'function_call_result', callId: 'c1', name: 'look', output: { type: 'text', text: 'seen' } },
    ];
    expect(decodeMessages(items, 'user', false)?.map((message) => message.parts[0])).toEqual([
      { type: 'tool-call', id: 'c1', name: 'look', args: {} },
      { type: 'tool-result', id: 'c1', name: 'look', result: { type: 'text', text: 'seen' } },
    ]);
  });
});
