import type { Part } from '../normalised.ts';
import { isObject, structuredJson, textIn } from './json-value.ts';
import { toolArguments } from './tool-arguments.ts';

type ToolCall = Extract<Part, { type: 'tool-call' }>;

/**
 * The tool calls of a list that is separate from the content of a message: OpenAI `{id, function:{name, arguments}}`, LangChain and Traceloop
 * `{id, name, args|arguments}`, AI SDK `{toolCallId, toolName, args|input}`. The list may be JSON text; entries without a name are empty
 * slots (openinference-vercel 2 sends attributes without value).
 */
export function toolCallList(value: unknown): ToolCall[] {
  const list = typeof value === 'string' ? structuredJson(value) : value;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => toolCallOf(item) ?? []);
}

function toolCallOf(item: unknown): ToolCall | undefined {
  const value = typeof item === 'string' ? structuredJson(item) : item;
  if (!isObject(value)) return undefined;
  const inner = isObject(value['function']) ? value['function'] : isObject(value['custom']) ? value['custom'] : value;
  const name = textIn(inner, 'name') ?? textIn(value, 'toolName') ?? textIn(value, 'tool_name');
  if (!name) return undefined;
  const id = textIn(value, 'id') ?? textIn(value, 'toolCallId') ?? textIn(value, 'tool_call_id') ?? textIn(value, 'call_id') ?? '';
  return { type: 'tool-call', id, name, args: toolArguments(inner['arguments'] ?? inner['args'] ?? inner['input'] ?? value['args']) };
}
