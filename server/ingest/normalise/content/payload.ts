import type { Message } from '../normalised.ts';
import { isObject, jsonText, structuredJson } from './json-value.ts';
import { decodeMessages } from './message-decoder.ts';
import type { SpanSources } from './span-sources.ts';

/** The content of one source: a conversation, or a value with its text as received (without the quotes of quoted text). */
export type Payload =
  | { kind: 'messages'; source: string; messages: Message[]; text: () => string }
  | { kind: 'value'; source: string; text: string; value: unknown };

export type Side = 'input' | 'output';

type ReadPayload = (sources: SpanSources) => Payload | undefined;

/** Reads one source of a field. Returns undefined when it is empty, so that the next source is tried. */
export interface PayloadReader extends ReadPayload {
  /** The attributes that it reads; `*` in a key matches anything. Redaction drops these attributes to drop payloads. */
  readonly keys: readonly string[];
}

/** Creates a reader with the keys of its attributes. */
export const reading = (keys: readonly string[], read: ReadPayload): PayloadReader =>
  Object.assign((sources: SpanSources) => read(sources), { keys });

/** Reads an attribute of either side, in any form: messages, a body, JSON, JSON in JSON, or text. */
export function attributeReader(key: string, side: Side): PayloadReader {
  return reading([key], (sources) => attributePayload(sources, key, side));
}

export function attributePayload(sources: SpanSources, key: string, side: Side): Payload | undefined {
  const raw = sources.view.get(key);
  if (raw === undefined || raw === null || raw === '') return undefined;
  const value = side === 'input' ? sources.history(key) : sources.structure(key);
  return valuePayload(key, value, () => sources.text(key), side, sources);
}

/** `value` is the parsed text, or undefined when the text is not JSON. */
export function valuePayload(source: string, value: unknown, text: () => string, side: Side, sources: SpanSources): Payload | undefined {
  if (typeof value === 'string') return quotedPayload(source, value, side, sources);
  if (typeof value === 'object' && value !== null) {
    if (isEmpty(value)) return undefined;
    const messages = conversationIn(value, side, sources);
    if (messages !== undefined) return hasContent(messages) ? { kind: 'messages', source, messages, text } : undefined;
  }
  const plainText = text();
  return plainText === '' || isMissing(plainText, sources) ? undefined : { kind: 'value', source, text: plainText, value };
}

/** Quoted text (Traceloop, AgentMark, Genkit) is read as the text itself, unless it contains JSON again. */
function quotedPayload(source: string, quoted: string, side: Side, sources: SpanSources): Payload | undefined {
  const inner = structuredJson(quoted);
  if (typeof inner === 'object' && inner !== null) return valuePayload(source, inner, () => quoted, side, sources);
  return quoted === '' ? undefined : { kind: 'value', source, text: quoted, value: undefined };
}

/** The arguments and results of a tool stay values: `{messages: […]}` may be what a tool has to send. */
function conversationIn(value: object, side: Side, sources: SpanSources): Message[] | undefined {
  if (sources.role === 'tool' || sources.role === 'embedding') return undefined;
  const messages = decodeMessages(value, side === 'input' ? 'user' : 'assistant', sources.role === 'conversation');
  return messages === undefined || messages.length === 0 ? undefined : messages;
}

/** `{}` and `[]`: Google ADK sends one as the request of a tool span. */
function isEmpty(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** LiteLLM writes every value as text, an absent one as `None`. */
function isMissing(text: string, sources: SpanSources): boolean {
  return text === 'null' || (text === 'None' && sources.spanData.scope.name === 'litellm');
}

export function hasContent(messages: readonly Message[]): boolean {
  return messages.some((message) => message.parts.length > 0);
}

export function messagesPayload(source: string, messages: Message[]): Payload | undefined {
  if (!hasContent(messages)) return undefined;
  return { kind: 'messages', source, messages, text: () => jsonText(messages) };
}

export function firstPayload(readers: readonly PayloadReader[], sources: SpanSources): Payload | undefined {
  for (const read of readers) {
    const payload = read(sources);
    if (payload !== undefined) return payload;
  }
  return undefined;
}

/** The value of a payload for a structured field: parsed when it is JSON, otherwise its text. */
export function payloadValue(payload: Payload): unknown {
  if (payload.kind === 'messages') return structuredJson(payload.text()) ?? payload.text();
  return isObject(payload.value) || Array.isArray(payload.value) ? payload.value : payload.text;
}
