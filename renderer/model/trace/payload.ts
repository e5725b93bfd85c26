/** Kind of an input or output text: conversation, JSON, or plain text. Never throws, because the text is untrusted. */

import { readJson } from '../text/read-json.ts';
import { type Message, readMessages } from './messages.ts';

export type Payload =
  | { form: 'empty' }
  | { form: 'messages'; messages: Message[] }
  | { form: 'json'; value: object }
  | { form: 'text'; text: string };

function readPlain(text: string): Payload {
  if (text.trim() === '') return { form: 'empty' };
  const value = readJson(text);
  return typeof value === 'object' && value !== null ? { form: 'json', value } : { form: 'text', text };
}

export function readPayload(text: string | null | undefined): Payload {
  if (!text) return { form: 'empty' };
  const messages = readMessages(text);
  return messages ? { form: 'messages', messages } : readPlain(text);
}

/**
 * The gateway stores free input as one user message (docs/reference/ingest.md#input-and-output). For a tool or function that message holds the arguments.
 */
export function unwrapArgument(payload: Payload): Payload {
  if (payload.form !== 'messages' || payload.messages.length !== 1) return payload;
  const [message] = payload.messages;
  const [part] = message?.parts ?? [];
  if (message?.role !== 'user' || message.parts.length !== 1 || !part) return payload;
  if (part.type === 'text') return readPlain(part.text);
  return part.type === 'data' && typeof part.value === 'object' && part.value !== null ? { form: 'json', value: part.value } : payload;
}
