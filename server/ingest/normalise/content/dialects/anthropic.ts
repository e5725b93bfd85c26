import type { Part } from '../../normalised.ts';
import type { Dialect } from '../dialect.ts';
import { type JsonObject, textIn } from '../json-value.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * Content blocks of Anthropic's Messages API: `tool_use{id,name,input}`, `tool_result{tool_use_id,content,is_error}`, `thinking`.
 * The result of a tool stays in its user message, as in the API.
 */
export const anthropic: Dialect = {
  typedParts: {
    tool_use: (value) => toolUse(value),
    server_tool_use: (value) => ({ ...toolUse(value), providerExecuted: true }),
    mcp_tool_use: (value) => ({ ...toolUse(value), providerExecuted: true }),
    tool_result: toolResult,
    mcp_tool_result: toolResult,
    web_search_tool_result: toolResult,
    web_fetch_tool_result: toolResult,
    code_execution_tool_result: toolResult,
    thinking: (value) => {
      const text = textIn(value, 'thinking');
      if (text === undefined) return undefined;
      const signature = textIn(value, 'signature');
      return signature === undefined ? { type: 'reasoning', text } : { type: 'reasoning', text, signature };
    },
    redacted_thinking: (value) => ({ type: 'reasoning', text: '', signature: textIn(value, 'data') ?? '' }),
  },
};

function toolUse(value: JsonObject): Extract<Part, { type: 'tool-call' }> {
  return { type: 'tool-call', id: textIn(value, 'id') ?? '', name: textIn(value, 'name') ?? '', args: toolArguments(value['input']) };
}

function toolResult(value: JsonObject): Part | undefined {
  const id = textIn(value, 'tool_use_id');
  if (id === undefined) return undefined;
  const result: Part = { type: 'tool-result', id, result: value['content'] ?? null };
  return value['is_error'] === true ? { ...result, isError: true } : result;
}
