import type { Message, Part } from '../../normalised.ts';
import type { Dialect } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { mediaIn } from '../media.ts';
import { joinedText } from '../streamed-text.ts';
import { toolArguments } from '../tool-arguments.ts';

/**
 * Genkit's parts (`toolRequest{name,ref,input}`, `toolResponse{name,ref,output}`, `media{url,contentType}`, `reasoning`) and answers:
 * `{message, finishReason, usage}` from `generate`, `{candidates:[{message}]}` from a model. Requests are `{messages, config, tools}`.
 */
export const genkit: Dialect = {
  untypedPart: (value) => toolRequest(value['toolRequest']) ?? toolResponse(value['toolResponse']) ?? other(value),
  body: (value, decoder) => {
    const candidates = Array.isArray(value['candidates']) ? value['candidates'] : [value];
    if (value['message'] === undefined && candidates[0] === value) return undefined;
    const messages: Message[] = [];
    for (const candidate of candidates) {
      const sent = isObject(candidate) ? candidate['message'] : undefined;
      const inner = isObject(sent) ? decoder.message(sent, 'assistant') : undefined;
      if (inner === undefined || !isObject(candidate) || !isObject(sent)) return undefined;
      const finish = textIn(candidate, 'finishReason') ?? textIn(candidate, 'finish_reason') ?? textIn(candidate, 'done_reason');
      const parts = isPieces(sent['content']) ? joinedText(inner.parts) : inner.parts;
      messages.push({ ...inner, parts, ...(finish ? { finish_reason: finish } : {}) });
    }
    return messages.length === 0 ? undefined : messages;
  },
};

/** Parts without a `type` are Genkit's own; others (OpenAI, Cohere) that also answer `{message}` do not stream into one message. */
function isPieces(content: unknown): boolean {
  return Array.isArray(content) && isObject(content[0]) && !('type' in content[0]);
}

function toolRequest(asked: unknown): Part | undefined {
  if (!isObject(asked)) return undefined;
  return { type: 'tool-call', id: textIn(asked, 'ref') ?? '', name: textIn(asked, 'name') ?? '', args: toolArguments(asked['input']) };
}

function toolResponse(answered: unknown): Part | undefined {
  if (!isObject(answered)) return undefined;
  const name = textIn(answered, 'name');
  return { type: 'tool-result', id: textIn(answered, 'ref') ?? '', ...(name ? { name } : {}), result: answered['output'] ?? null };
}

function other(value: JsonObject): Part | undefined {
  if (isObject(value['media'])) return mediaIn(value['media']);
  const reasoning = textIn(value, 'reasoning');
  return reasoning === undefined ? undefined : { type: 'reasoning', text: reasoning };
}
