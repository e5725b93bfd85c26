import type { Message } from '../../normalised.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject, textIn } from '../json-value.ts';
import { roleNamed } from '../role-name.ts';

/** Cohere's first chat API: `{message, chat_history:[{role:"USER", message}], preamble}`. */
export const cohere: Dialect = {
  message: (value) => {
    const role = roleNamed(value['role']);
    const text = textIn(value, 'message');
    return role === undefined || text === undefined || 'content' in value ? undefined : { role, parts: [{ type: 'text', text }] };
  },
  body: request,
};

function request(value: JsonObject, decoder: MessageDecoder): Message[] | undefined {
  const text = textIn(value, 'message');
  const history = value['chat_history'] ?? value['chatHistory'];
  if (text === undefined || !Array.isArray(history)) return undefined;
  const earlier = history.filter(isObject).flatMap((message) => decoder.message(message, 'user') ?? []);
  const preamble = decoder.parts(value['preamble']);
  const system: Message[] = preamble.length === 0 ? [] : [{ role: 'system', parts: preamble }];
  return [...system, ...earlier, { role: 'user', parts: decoder.parts(text) }];
}
