import type { Message, Part, Role } from '../../normalised.ts';
import { append } from '../append.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { mediaIn } from '../media.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * OpenAI's Responses API. A conversation is a list of items, distinguished by `type`: `message` (read as a chat message), `function_call`,
 * `function_call_output`, `reasoning`, and calls of built-in tools. The Agents SDK for JavaScript writes the same in camelCase.
 * Bodies: requests `{input, instructions}`, responses `{output:[items]}`; the items of one response become one message.
 */
export const openaiResponses: Dialect = {
  typedParts: {
    input_text: text,
    output_text: text,
    summary_text: text,
    reasoning_text: (value) => ({ type: 'reasoning', text: textIn(value, 'text') ?? '' }),
  },
  message: item,
  body: (value, decoder) => response(value, decoder) ?? request(value, decoder),
};

function text(value: JsonObject): Part | undefined {
  const content = textIn(value, 'text');
  return content === undefined ? undefined : { type: 'text', text: content };
}

function item(value: JsonObject): Message | undefined {
  if ('role' in value) return undefined;
  switch (value['type']) {
    case 'function_call':
    case 'custom_tool_call':
      return assistant({
        type: 'tool-call',
        id: callId(value),
        name: textIn(value, 'name') ?? '',
        args: toolArguments(value['arguments'] ?? value['input']),
      });
    case 'function_call_output':
    case 'function_call_result':
    case 'custom_tool_call_output':
    case 'computer_call_output':
      return { role: 'tool', parts: [{ type: 'tool-result', id: callId(value), ...nameOf(value), result: value['output'] ?? null }] };
    case 'reasoning':
      return reasoning(value);
    case 'mcp_call':
      return mcpCall(value);
    case 'image_generation_call': {
      const image = mediaIn({ base64: value['result'], format: value['output_format'] ?? 'png' }, 'image');
      return image === undefined ? undefined : assistant(image);
    }
    default:
      return builtInCall(value);
  }
}

function assistant(...parts: Part[]): Message {
  return { role: 'assistant', parts };
}

function callId(value: JsonObject): string {
  return textIn(value, 'call_id') ?? textIn(value, 'callId') ?? textIn(value, 'id') ?? '';
}

function nameOf(value: JsonObject): { name?: string } {
  const name = textIn(value, 'name');
  return name ? { name } : {};
}

/** Reasoning text, if any: most responses have encrypted or empty reasoning. */
function reasoning(value: JsonObject): Message | undefined {
  if (!('summary' in value || 'content' in value || 'encrypted_content' in value)) return undefined;
  const pieces = [value['summary'], value['content']].flatMap((list) => (Array.isArray(list) ? list : []));
  const texts = pieces.flatMap((piece) => (isObject(piece) ? (textIn(piece, 'text') ?? []) : typeof piece === 'string' ? piece : []));
  return { role: 'assistant', parts: texts.map((piece) => ({ type: 'reasoning', text: piece })) };
}

function mcpCall(value: JsonObject): Message {
  const name = textIn(value, 'name') ?? '';
  const call: Part = { type: 'tool-call', id: callId(value), name, args: toolArguments(value['arguments']), providerExecuted: true };
  if (value['output'] === undefined && value['error'] === undefined) return assistant(call);
  const failed = value['error'] !== undefined && value['error'] !== null;
  const result: Part = { type: 'tool-result', id: call.id, name, result: failed ? value['error'] : (value['output'] ?? null) };
  return assistant(call, failed ? { ...result, isError: true } : result);
}

/** `web_search_call`, `file_search_call`, `code_interpreter_call`…: run by the provider, named by their type. */
function builtInCall(value: JsonObject): Message | undefined {
  const type = textIn(value, 'type');
  if (!type?.endsWith('_call') || type === 'tool_call') return undefined;
  const args = value['action'] ?? value['queries'] ?? value['code'] ?? toolArguments(value['arguments']);
  return assistant({ type: 'tool-call', id: callId(value), name: type.slice(0, -'_call'.length), args, providerExecuted: true });
}

function response(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const items = value['output'];
  if (!Array.isArray(items) || items.length === 0) return undefined;
  const messages = decoder.messages(items, 'assistant');
  return messages === undefined ? undefined : merged(messages);
}

function request(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const input = value['input'];
  const messages =
    typeof input === 'string' ? plainInput(value, input, decoder) : Array.isArray(input) ? decoder.messages(input, 'user') : undefined;
  if (messages === undefined) return undefined;
  const instructions = decoder.parts(value['instructions']);
  return instructions.length === 0 ? messages : [{ role: 'system', parts: instructions }, ...messages];
}

function plainInput(value: JsonObject, input: string, decoder: MessageDecoder): Message[] | undefined {
  const isRequest = decoder.lenient || ('model' in value && typeof value['model'] === 'string');
  return isRequest ? [{ role: 'user' as Role, parts: decoder.parts(input) }] : undefined;
}

/** Merges adjacent assistant messages: reasoning, text and calls of one turn are one message. */
function merged(messages: Message[]): Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last !== undefined && last.role === 'assistant' && message.role === 'assistant') append(last.parts, message.parts);
    else result.push({ ...message, parts: [...message.parts] });
  }
  return result;
}
