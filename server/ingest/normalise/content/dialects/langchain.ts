import type { Message, Part, Role } from '../../normalised.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { roleNamed } from '../role-name.ts';
import { toolArguments } from '../tool-arguments.ts';
import { toolCallList } from '../tool-call-list.ts';

/**
 * LangChain's serialised messages: `{lc, type:"constructor", id:[…,"HumanMessage"], kwargs:{content, tool_calls, additional_kwargs}}`,
 * `{type:"human", content}` (model_dump) and `{type:"human", data:{content}}` (messages_to_dict). Bodies: `{generations:[[{text,
 * message}]]}`, prompt values, and the `{messages}`, `{input}`, `{output}` of chains.
 */
export const langchain: Dialect = {
  typedParts: {
    tool_call: (value) =>
      'args' in value && typeof value['name'] === 'string'
        ? { type: 'tool-call', id: textIn(value, 'id') ?? '', name: value['name'], args: toolArguments(value['args']) }
        : undefined,
  },
  message: (value, decoder) => {
    const role = roleOf(value);
    if (role === undefined) return undefined;
    const fields = isObject(value['kwargs']) ? value['kwargs'] : isObject(value['data']) ? value['data'] : value;
    return 'content' in fields ? langchainMessage(fields, role, decoder) : undefined;
  },
  body: (value, decoder) => generations(value, decoder) ?? promptValue(value, decoder),
};

/** `["langchain_core","messages","AIMessageChunk"]`, `AIMessage` or `ai`. */
function roleOf(value: JsonObject): Role | undefined {
  const id = value['id'];
  const path = isObject(value['kwargs']) && Array.isArray(id) ? id.at(-1) : value['type'];
  if (typeof path !== 'string' || 'role' in value) return undefined;
  const short = path.endsWith('Chunk') ? path.slice(0, -'Chunk'.length) : path;
  if (short === 'ChatMessage' || short === 'chat') {
    return roleNamed(isObject(value['kwargs']) ? value['kwargs']['role'] : value['role']) ?? 'user';
  }
  return roleNamed(short.endsWith('Message') ? short.slice(0, -'Message'.length) : short);
}

function langchainMessage(fields: JsonObject, role: Role, decoder: MessageDecoder): Message {
  const name = textIn(fields, 'name');
  if (role === 'tool') return { role, parts: [toolResult(fields, name)] };
  const extra = isObject(fields['additional_kwargs']) ? fields['additional_kwargs'] : {};
  const content = decoder.parts(fields['content']);
  const calls = [...toolCallList(fields['tool_calls']), ...toolCallList(fields['invalid_tool_calls'])];
  const allCalls =
    calls.length > 0 ? calls : toolCallList(extra['tool_calls'] ?? (extra['function_call'] ? [extra['function_call']] : undefined));
  // Anthropic's content blocks repeat the calls of `tool_calls`.
  const contentCalls = new Set(content.flatMap((part) => (part.type === 'tool-call' ? part.id : [])));
  const reasoning = textIn(extra, 'reasoning_content');
  const parts: Part[] = reasoning ? [{ type: 'reasoning', text: reasoning }, ...content] : content;
  const message: Message = { role, parts: [...parts, ...allCalls.filter((call) => !contentCalls.has(call.id))] };
  if (name) message.name = name;
  const finish = isObject(fields['response_metadata']) ? textIn(fields['response_metadata'], 'finish_reason') : undefined;
  if (finish) message.finish_reason = finish;
  return message;
}

function toolResult(fields: JsonObject, name: string | undefined): Part {
  const id = textIn(fields, 'tool_call_id') ?? '';
  const result: Part = { type: 'tool-result', id, ...(name ? { name } : {}), result: fields['content'] ?? null };
  return fields['status'] === 'error' ? { ...result, isError: true } : result;
}

function generations(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const batches = value['generations'];
  if (!Array.isArray(batches)) return undefined;
  return batches.flat().flatMap((generation): Message[] => {
    if (!isObject(generation)) return [];
    const message = isObject(generation['message']) ? decoder.message(generation['message'], 'assistant') : undefined;
    if (message !== undefined) return [message];
    const text = textIn(generation, 'text');
    return text === undefined ? [] : [{ role: 'assistant', parts: decoder.parts(text) }];
  });
}

function isPromptValue(className: unknown): boolean {
  return typeof className === 'string' && className.endsWith('PromptValue');
}

/** The value of a prompt template (`ChatPromptValue{messages}` or `StringPromptValue{value}`), or the messages in the output of a chain. */
function promptValue(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const fields = value['kwargs'];
  if (isObject(fields) && Array.isArray(value['id'])) {
    if (Array.isArray(fields['messages'])) return decoder.messages(fields['messages'], 'user');
    const text = textIn(fields, 'value') ?? textIn(fields, 'text');
    return text !== undefined && isPromptValue(value['id'].at(-1)) ? [{ role: 'user', parts: decoder.parts(text) }] : undefined;
  }
  const state = value['output'] ?? value['outputs'] ?? value['inputs'] ?? value['input'] ?? value['update'];
  return isObject(state) ? decoder.messages(state, 'assistant') : undefined;
}
