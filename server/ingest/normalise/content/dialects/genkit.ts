import type { Message, Part } from '../../normalised.ts';
import type { Dialect } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { mediaIn } from '../media.ts';
import { joinedText } from '../streamed-text.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * Genkit's parts (`toolRequest{name,ref,input}`, `toolResponse{name,ref,output}`, `media{url,contentType}`, `reasoning`) and responses:
 * `{message, finishReason, usage}` from `generate`, `{candidates:[{message}]}` from a model. Requests are `{messages, config, tools}`.
 */
export const genkit: Dialect = {
  untypedPart: (value) => toolRequest(value['toolRequest']) ?? toolResponse(value['toolResponse']) ?? mediaOrReasoning(value),
  body: (value, decoder) => {
    const candidates = Array.isArray(value['candidates']) ? value['candidates'] : [value];
    if (value['message'] === undefined && candidates[0] === value) return undefined;
    const messages: Message[] = [];
    for (const candidate of candidates) {
      const message = isObject(candidate) ? candidate['message'] : undefined;
      const decoded = isObject(message) ? decoder.message(message, 'assistant') : undefined;
      if (decoded === undefined || !isObject(candidate) || !isObject(message)) return undefined;
      const finish = textIn(candidate, 'finishReason') ?? textIn(candidate, 'finish_reason') ?? textIn(candidate, 'done_reason');
      const parts = isChunks(message['content']) ? joinedText(decoded.parts) : decoded.parts;
      messages.push({ ...decoded, parts, ...(finish ? { finish_reason: finish } : {}) });
    }
    return messages.length === 0 ? undefined : messages;
  },
};

/** Whether content may be streamed chunks, as Genkit's parts, which have no `type`: other senders of `{message}` do not join chunks in it. */
function isChunks(content: unknown): boolean {
  return Array.isArray(content) && isObject(content[0]) && !('type' in content[0]);
}

function toolRequest(request: unknown): Part | undefined {
  if (!isObject(request)) return undefined;
  return {
    type: 'tool-call',
    id: textIn(request, 'ref') ?? '',
    name: textIn(request, 'name') ?? '',
    args: toolArguments(request['input']),
  };
}

function toolResponse(response: unknown): Part | undefined {
  if (!isObject(response)) return undefined;
  const name = textIn(response, 'name');
  return { type: 'tool-result', id: textIn(response, 'ref') ?? '', ...(name ? { name } : {}), result: response['output'] ?? null };
}

function mediaOrReasoning(value: JsonObject): Part | undefined {
  if (isObject(value['media'])) return mediaIn(value['media']);
  const reasoning = textIn(value, 'reasoning');
  return reasoning === undefined ? undefined : { type: 'reasoning', text: reasoning };
}
