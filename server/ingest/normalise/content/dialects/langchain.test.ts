import { describe, expect, it } from 'vitest';
import { textMessage } from '../fixtures/span-with.ts';
import { decodeMessages } from '../message-decoder.ts';

const lc = (name: string, kwargs: object) => ({ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs });

describe('LangChain messages', () => {
  it('takes the role from the class and the calls from either place', () => {
    const messages = [
      lc('SystemMessage', { content: 'Sys' }),
      lc('HumanMessage', { content: 'Hi' }),
      lc('AIMessageChunk', { content: '', tool_calls: [{ name: 'f', args: { a: 1 }, id: 'c1', type: 'tool_call' }] }),
      lc('ToolMessage', { content: 'no', tool_call_id: 'c1', name: 'f', status: 'error' }),
      lc('AIMessage', {
        content: 'Done',
        additional_kwargs: { tool_calls: [{ id: 'c2', function: { name: 'g', arguments: '{"b":2}' } }] },
        response_metadata: { finish_reason: 'stop' },
      }),
    ];
    expect(decodeMessages({ messages: [messages] }, 'user', false)).toEqual([
      textMessage('system', 'Sys'),
      textMessage('user', 'Hi'),
      { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'f', args: { a: 1 } }] },
      { role: 'tool', parts: [{ type: 'tool-result', id: 'c1', name: 'f', result: 'no', isError: true }] },
      {
        role: 'assistant',
        finish_reason: 'stop',
        parts: [
          { type: 'text', text: 'Done' },
          { type: 'tool-call', id: 'c2', name: 'g', args: { b: 2 } },
        ],
      },
    ]);
  });

  it('does not show the calls of an Anthropic answer twice', () => {
    const content = [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }];
    const message = lc('AIMessage', { content, tool_calls: [{ name: 'f', args: {}, id: 'c1' }] });
    expect(decodeMessages(message, 'assistant', false)?.[0]?.parts).toHaveLength(1);
  });

  it('reads dumped messages, message dictionaries, generations and prompt values', () => {
    expect(decodeMessages([{ type: 'human', content: 'Hi', additional_kwargs: {} }], 'user', false)).toEqual([textMessage('user', 'Hi')]);
    expect(decodeMessages([{ type: 'ai', data: { content: 'Yo' } }], 'user', false)).toEqual([textMessage('assistant', 'Yo')]);
    const generations = { generations: [[{ text: 'Yo', message: lc('AIMessage', { content: 'Yo' }) }]], llm_output: {} };
    expect(decodeMessages(generations, 'assistant', false)).toEqual([textMessage('assistant', 'Yo')]);
    expect(decodeMessages({ generations: [[{ text: 'plain' }]] }, 'assistant', false)).toEqual([textMessage('assistant', 'plain')]);
    const prompt = {
      lc: 1,
      type: 'constructor',
      id: ['x', 'ChatPromptValue'],
      kwargs: { messages: [lc('HumanMessage', { content: 'Hi' })] },
    };
    expect(decodeMessages(prompt, 'assistant', false)).toEqual([textMessage('user', 'Hi')]);
  });

  it('reads pairs of role and text', () => {
    expect(
      decodeMessages(
        [
          ['system', 'Sys'],
          ['human', 'Hi'],
        ],
        'user',
        false,
      ),
    ).toEqual([textMessage('system', 'Sys'), textMessage('user', 'Hi')]);
    expect(decodeMessages([['Paris', 'Tokyo']], 'user', false)).toBeUndefined();
  });

  it('reads the output of a LangGraph node', () => {
    expect(decodeMessages({ output: { messages: [lc('AIMessage', { content: 'Yo' })] } }, 'assistant', false)).toEqual([
      textMessage('assistant', 'Yo'),
    ]);
  });
});
