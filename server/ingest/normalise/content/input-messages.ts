import type { Message } from '../normalised.ts';
import { isWrapperInput } from './input-payload.ts';
import type { Payload } from './payload.ts';
import type { SpanSources } from './span-sources.ts';
import { systemMessage } from './system-message.ts';
import { nameResults } from './wire-messages.ts';

/**
 * The input as messages; empty when the payload is not a conversation.
 *
 * In a conversation (a model call or an agent), free text becomes one user message (docs/reference/ingest.md#input-and-output). The
 * arguments of a tool, the query of a retrieval, the text of an embedding and the input of a plain function are not messages: they stay
 * text.
 */
export function inputMessages(payload: Payload | undefined, sources: SpanSources): Message[] {
  const isConversation = sources.role === 'conversation';
  if (payload?.kind !== 'messages' && !isConversation) return [];
  const messages = payload === undefined ? [] : payloadMessages(payload);
  if (payload !== undefined && isWrapperInput(payload)) return messages;
  const system = messages[0]?.role === 'system' ? undefined : systemMessage(sources);
  return system === undefined ? messages : [system, ...messages];
}

function payloadMessages(payload: Payload): Message[] {
  if (payload.kind === 'value') return [{ role: 'user', parts: [{ type: 'text', text: payload.text }] }];
  nameResults(payload.messages);
  return payload.messages;
}
