import type { Message } from '../normalised.ts';
import { messagesOfEvent } from './genai-events.ts';
import { isObject, textIn } from './json-value.ts';
import { decodeMessages } from './message-decoder.ts';
import { messagesPayload, type PayloadReader, reading, type Side } from './payload.ts';

/**
 * Pydantic AI version 1 and Logfire's OpenAI integration put the GenAI events of a span into one JSON attribute:
 * `[{"event.name":"gen_ai.user.message", role, content, "gen_ai.message.index"}, …]`. Entries without an event name are messages.
 */
export function eventListReader(key: string, side: Side): PayloadReader {
  return reading([key], (sources) => {
    const list = sources.structure(key);
    if (!Array.isArray(list)) return undefined;
    return messagesPayload(
      key,
      list.flatMap((entry) => entryMessages(entry, side)),
    );
  });
}

function entryMessages(entry: unknown, side: Side): Message[] {
  if (!isObject(entry)) return [];
  const name = textIn(entry, 'event.name');
  if (name !== undefined) return messagesOfEvent(name, entry, side);
  return side === 'input' ? (decodeMessages(entry, 'user', true) ?? []) : [];
}

/**
 * A whole run in one attribute (`pydantic_ai.all_messages`, `all_messages_events`): the last messages of the model are the output, all
 * before them the input.
 */
export function historyReader(key: string, side: Side): PayloadReader {
  return reading([key], (sources) => {
    const list = sources.structure(key);
    if (!Array.isArray(list)) return undefined;
    const messages = list.flatMap((entry) => [...entryMessages(entry, 'input'), ...entryMessages(entry, 'output')]);
    const split = messages.findLastIndex((message) => message.role !== 'assistant') + 1;
    return messagesPayload(key, side === 'input' ? messages.slice(0, split) : messages.slice(split));
  });
}
