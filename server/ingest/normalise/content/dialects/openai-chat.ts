import type { Message, Part, Role } from '../../normalised.ts';
import { append } from '../append.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { mediaIn } from '../media.ts';
import { roleNamed } from '../role-name.ts';
import { toolCallList } from '../tool-call-list.ts';

/**
 * Chat messages of OpenAI, whose form AI SDK, Anthropic, Gemini, Bedrock, Ollama, LiteLLM, Langfuse and AgentMark messages share:
 * `{role, content|parts}` with other fields next to the content (`tool_calls`, `tool_call_id`, `function_call`, `reasoning_content`,
 * `refusal`, `audio`, `images`). Bodies: requests `{messages, system?}`, responses `{choices:[{message}]}`.
 */
export const openaiChat: Dialect = {
  typedParts: {
    refusal: (value) => {
      const text = textIn(value, 'refusal');
      return text === undefined ? undefined : { type: 'text', text };
    },
  },
  message: chatMessage,
  body: (value, decoder, role) => request(value, decoder, role) ?? choices(value, decoder),
};

const CONTENT_KEYS = ['content', 'parts', 'contents', 'tool_calls', 'toolCalls', 'function_call', 'refusal', 'audio', 'text'] as const;

function chatMessage(value: JsonObject, decoder: MessageDecoder): Message | undefined {
  const roleField = value['role'];
  const role = roleNamed(roleField) ?? (decoder.lenient && typeof roleField === 'string' && roleField !== '' ? 'user' : undefined);
  // Other lists, such as of people, have roles too: without a content field an object is only a message if the span is a conversation.
  if (role === undefined || !(decoder.lenient || CONTENT_KEYS.some((key) => key in value))) return undefined;
  const message: Message = { role, parts: contentParts(value, role, decoder) };
  const name = textIn(value, 'name') ?? (roleNamed(roleField) === undefined ? String(roleField) : undefined);
  if (name && role !== 'tool') message.name = name;
  const finish = textIn(value, 'finish_reason') ?? textIn(value, 'finishReason') ?? textIn(value, 'stop_reason');
  if (finish) message.finish_reason = finish;
  return message;
}

function contentParts(value: JsonObject, role: Role, decoder: MessageDecoder): Part[] {
  const content = decoder.parts(value['parts'] ?? value['content'] ?? value['contents'] ?? value['text']);
  if (role === 'tool') return toolParts(value, content);
  const parts = withReasoning(value, content);
  const calls = content.some((part) => part.type === 'tool-call') ? [] : toolCalls(value);
  const refusal = content.length === 0 && calls.length === 0 ? textIn(value, 'refusal') : undefined;
  if (refusal) parts.push({ type: 'text', text: refusal });
  append(parts, media(value));
  append(parts, calls);
  return parts;
}

/** DeepSeek and vLLM use `reasoning_content`, OpenRouter and Traceloop `reasoning`. */
function withReasoning(value: JsonObject, content: Part[]): Part[] {
  const text = textIn(value, 'reasoning_content') ?? textIn(value, 'reasoning') ?? textIn(value, 'thinking');
  if (!text || content.some((part) => part.type === 'reasoning')) return [...content];
  return [{ type: 'reasoning', text }, ...content];
}

function toolCalls(value: JsonObject): Part[] {
  const calls = toolCallList(value['tool_calls'] ?? value['toolCalls']);
  return calls.length > 0 || !isObject(value['function_call']) ? calls : toolCallList([value['function_call']]);
}

function media(value: JsonObject): Part[] {
  const parts: Part[] = [];
  const audio = isObject(value['audio']) ? mediaIn(value['audio'], 'audio') : undefined;
  if (audio !== undefined) parts.push(audio);
  for (const image of Array.isArray(value['images']) ? value['images'] : []) {
    const found = mediaIn(typeof image === 'string' ? { data: image } : isObject(image) ? image : {}, 'image');
    if (found !== undefined) parts.push(found);
  }
  return parts;
}

/** The content of a `tool` message is the result of a call, whatever its form. */
function toolParts(value: JsonObject, content: Part[]): Part[] {
  if (content.some((part) => part.type === 'tool-result')) return content;
  const id = textIn(value, 'tool_call_id') ?? textIn(value, 'toolCallId') ?? textIn(value, 'id') ?? '';
  const name = textIn(value, 'name') ?? textIn(value, 'tool_name') ?? textIn(value, 'toolName');
  const only = content.length === 1 ? content[0] : undefined;
  const result = only?.type === 'text' ? only.text : (value['content'] ?? value['parts'] ?? null);
  if (result === null && id === '') return content;
  return [{ type: 'tool-result', id, ...(name ? { name } : {}), result }];
}

/** `{messages}` of OpenAI, Anthropic (`system`), Bedrock (`system:[{text}]`), AI SDK, Genkit, LangChain (lists in a list). */
function request(value: JsonObject, decoder: MessageDecoder, role: Role): Message[] | undefined {
  const messages = Array.isArray(value['messages']) ? decoder.messages(value['messages'], role) : undefined;
  if (messages === undefined) return undefined;
  const system = messages[0]?.role === 'system' ? [] : decoder.parts(value['system'] ?? value['instructions']);
  return system.length === 0 ? messages : [{ role: 'system', parts: system }, ...messages];
}

function choices(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const list = value['choices'];
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((item) => choice(item, decoder) ?? []);
}

/** `{message}`, `{delta}` of a stream, or `{text}` of the completion API. */
function choice(item: unknown, decoder: MessageDecoder): Message | undefined {
  if (!isObject(item)) return undefined;
  const inner = item['message'] ?? item['delta'];
  const text = textIn(item, 'text');
  const message: Message | undefined = isObject(inner)
    ? chatMessage({ role: 'assistant', content: null, ...inner }, decoder)
    : text === undefined
      ? undefined
      : { role: 'assistant', parts: decoder.parts(text) };
  const finish = textIn(item, 'finish_reason');
  return message === undefined || !finish ? message : { ...message, finish_reason: finish };
}
