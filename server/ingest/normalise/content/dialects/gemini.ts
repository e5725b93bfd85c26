import type { Message, Part } from '../../normalised.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { mediaIn } from '../media.ts';
import { roleNamed } from '../role-name.ts';
import { joinedText } from '../streamed-text.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * Google's `contents`/`parts`, in camelCase (JavaScript) and snake_case (Python), bare or inside the request and response blobs of
 * Google ADK (`gcp.vertex.agent.llm_request`: `{model, config{system_instruction, tools}, contents}`; `llm_response`: `{content}`).
 */
export const gemini: Dialect = {
  untypedPart: (value) => thought(value) ?? call(value) ?? response(value) ?? inline(value),
  body: (value, decoder) => request(value, decoder) ?? candidates(value, decoder) ?? candidate(value, decoder),
};

function thought(value: JsonObject): Part | undefined {
  const text = textIn(value, 'text');
  if (value['thought'] !== true || text === undefined) return undefined;
  const signature = textIn(value, 'thoughtSignature') ?? textIn(value, 'thought_signature');
  return signature === undefined ? { type: 'reasoning', text } : { type: 'reasoning', text, signature };
}

function call(value: JsonObject): Part | undefined {
  const functionCall = value['functionCall'] ?? value['function_call'];
  if (!isObject(functionCall)) return undefined;
  return {
    type: 'tool-call',
    id: textIn(functionCall, 'id') ?? '',
    name: textIn(functionCall, 'name') ?? '',
    args: toolArguments(functionCall['args']),
  };
}

function response(value: JsonObject): Part | undefined {
  const functionResponse = value['functionResponse'] ?? value['function_response'];
  if (!isObject(functionResponse)) return undefined;
  const name = textIn(functionResponse, 'name');
  return {
    type: 'tool-result',
    id: textIn(functionResponse, 'id') ?? '',
    ...(name ? { name } : {}),
    result: functionResponse['response'] ?? null,
  };
}

function inline(value: JsonObject): Part | undefined {
  const data = value['inlineData'] ?? value['inline_data'] ?? value['fileData'] ?? value['file_data'];
  return isObject(data) ? mediaIn(data) : undefined;
}

function request(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const contents = value['contents'];
  if (contents === undefined) return undefined;
  const messages =
    typeof contents === 'string' ? [{ role: 'user' as const, parts: decoder.parts(contents) }] : decoder.messages(contents, 'user');
  if (messages === undefined) return undefined;
  const config = isObject(value['config']) ? value['config'] : value;
  const system = config['systemInstruction'] ?? config['system_instruction'] ?? value['systemInstruction'] ?? value['system_instruction'];
  const parts = decoder.parts(isObject(system) && 'parts' in system ? system['parts'] : system);
  return parts.length === 0 ? messages : [{ role: 'system', parts }, ...messages];
}

function candidates(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const list = value['candidates'];
  if (!Array.isArray(list) || !list.some((item) => isObject(item) && isObject(item['content']))) return undefined;
  return list.flatMap((item) => (isObject(item) ? (candidate(item, decoder) ?? []) : []));
}

/** `{content: {parts, role}, finish_reason}`: an ADK response or one candidate. Streamed text is in several parts. */
function candidate(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const content = value['content'];
  if (!isObject(content) || !Array.isArray(content['parts'])) return undefined;
  const role = roleNamed(content['role']) ?? 'assistant';
  const message: Message = { role, parts: joinedText(decoder.parts(content['parts'])) };
  const finish = textIn(value, 'finishReason') ?? textIn(value, 'finish_reason');
  if (finish) message.finish_reason = finish;
  return [message];
}
