import type { Message, Role } from '../normalised.ts';
import { treeOf } from './attribute-tree.ts';
import { isObject, type JsonObject, structuredJson, textIn } from './json-value.ts';
import { decodeMessages, decodeParts } from './message-decoder.ts';
import { messagesPayload, type PayloadReader, reading } from './payload.ts';
import type { FlattenedPrefix } from './span-sources.ts';

/**
 * Messages flattened into attributes: OpenInference `llm.input_messages.N.message.*`, Traceloop `gen_ai.prompt.N.*`, and the prompts and
 * choices of the completion API. They are reassembled and read as chat messages.
 */
export function flattenedReader(prefix: FlattenedPrefix, role: Role): PayloadReader {
  return reading([`${prefix}*`], (sources) => {
    const rows = sources.flattened(prefix);
    return rows === undefined ? undefined : messagesPayload(`${prefix}*`, flattenedMessages(treeOf(rows), role));
  });
}

function flattenedMessages(tree: unknown, role: Role): Message[] {
  if (!Array.isArray(tree)) return [];
  return tree.flatMap((item) => {
    const fields = chatFields(item);
    return fields === undefined ? [] : (decodeMessages({ ...fields, role: fields['role'] ?? role }, role, true) ?? []);
  });
}

function chatFields(item: unknown): JsonObject | undefined {
  if (typeof item === 'string') return { content: item };
  if (!isObject(item)) return undefined;
  if (isObject(item['message'])) return openInferenceFields(item['message']);
  const completion = item['prompt'] ?? item['completion'];
  if (isObject(completion)) return { content: completion['text'] };
  return { ...item, content: nestedParts(item['content'] ?? item['user'] ?? item['assistant']) };
}

/** `contents` are the parts. `content` repeats their text (openinference-vercel 3), or is the only one of the two. */
function openInferenceFields(message: JsonObject): JsonObject {
  const calls = unwrapped(message['tool_calls'], 'tool_call');
  const contents = unwrapped(message['contents'], 'message_content').filter((part) => calls.length === 0 || !isToolUse(part));
  const content = decodeParts(contents).length > 0 ? contents : message['content'];
  const name = textIn(message, 'function_call_name');
  return {
    ...message,
    content,
    contents: undefined,
    tool_calls: calls,
    ...(name === undefined ? {} : { function_call: { name, arguments: message['function_call_arguments_json'] } }),
  };
}

function unwrapped(list: unknown, key: string): unknown[] {
  return Array.isArray(list) ? list.flatMap((item) => (isObject(item) && isObject(item[key]) ? item[key] : [])) : [];
}

function isToolUse(part: unknown): boolean {
  return isObject(part) && part['type'] === 'tool_use';
}

/**
 * Parses content that is JSON text of a list of parts (Traceloop for multi-part messages, Strands in events). Other text stays text, since
 * a user may have typed it.
 */
export function nestedParts(content: unknown): unknown {
  if (typeof content !== 'string' || !content.startsWith('[{')) return content;
  const list = structuredJson(content);
  if (!Array.isArray(list)) return content;
  return decodeParts(list).every((part) => part.type !== 'data') ? list : content;
}
