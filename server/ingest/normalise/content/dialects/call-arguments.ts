import type { Message, Role } from '../../normalised.ts';
import type { Dialect, MessageDecoder } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-value.ts';

/**
 * The arguments of a decorated function that takes messages: `{args, kwargs}` (Traceloop, Python), `{arg0, arg1}` (AgentMark `observe`),
 * `{request}` or `{params}`. The first argument that is a conversation is the input; other values stay unchanged.
 */
export const callArguments: Dialect = {
  body: (value, decoder, role) => {
    for (const candidate of candidates(value)) {
      const messages = conversation(candidate, decoder, role);
      if (messages !== undefined && messages.length > 0) return messages;
    }
    return undefined;
  },
};

function candidates(value: JsonObject): unknown[] {
  const args = value['args'];
  const kwargs = value['kwargs'];
  const found: unknown[] = [];
  if (isObject(kwargs) && Array.isArray(args)) found.push(kwargs, ...args);
  for (const key of ['arg0', 'arg1', 'request', 'params', 'body'] as const) {
    if (value[key] !== undefined) found.push(value[key]);
  }
  return found;
}

function conversation(value: unknown, decoder: MessageDecoder, role: Role): Message[] | undefined {
  return isObject(value) || Array.isArray(value) ? decoder.messages(value, role) : undefined;
}
