import type { Message } from '../normalised.ts';
import { isObject, jsonText, structuredJson } from './json-value.ts';
import { decodeMessages } from './message-decoder.ts';
import type { SpanSources } from './span-sources.ts';

/** What one source holds: a conversation, or a value with the text it arrived as (quotes of a quoted text taken off). */
export type Payload =
  | { kind: 'messages'; source: string; messages: Message[]; text: () => string }
  | { kind: 'value'; source: string; text: string; value: unknown };

export type Side = 'input' | 'output';

type ReadPayload = (sources: SpanSources) => Payload | undefined;

/** One place a field may come from; undefined when it holds nothing, so that the next one is asked. */
export interface PayloadReader extends ReadPayload {
  /** The attributes that it takes a payload from; `*` in a key stands for anything. Who lets no payload out leaves these out. */
  readonly keys: readonly string[];
}

/** Says which attributes a reader takes a payload from. */
export const reading = (keys: readonly string[], read: ReadPayload): PayloadReader =>
  Object.assign((sources: SpanSources) => read(sources), { keys });

/** Reads an attribute of either side, in whatever form it came: messages, a body, JSON, JSON in JSON, or text. */
export function attributeReader(key: string, side: Side): PayloadReader {
  return reading([key], (sources) => attributePayload(sources, key, side));
}

export function attributePayload(sources: SpanSources, key: string, side: Side): Payload | undefined {
  const raw = sources.view.get(key);
  if (raw === undefined || raw === null || raw === '') return undefined;
  const value = side === 'input' ? sources.history(key) : sources.structure(key);
  return valuePayload(key, value, () => sources.text(key), side, sources);
}

/** `value` is the structure of the text, or undefined when the text is only text. */
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

/** A quoted text (Traceloop, AgentMark, Genkit) is the text itself, unless it quotes JSON once more. */
function quotedPayload(source: string, quoted: string, side: Side, sources: SpanSources): Payload | undefined {
  const inner = structuredJson(quoted);
  if (typeof inner === 'object' && inner !== null) return valuePayload(source, inner, () => quoted, side, sources);
  return quoted === '' ? undefined : { kind: 'value', source, text: quoted, value: undefined };
}

/** The arguments and results of a tool stay values: `{messages: […]}` may well be what a tool was asked to send. */
function conversationIn(value: object, side: Side, sources: SpanSources): Message[] | undefined {
  if (sources.role === 'tool' || sources.role === 'embedding') return undefined;
  const messages = decodeMessages(value, side === 'input' ? 'user' : 'assistant', sources.role === 'conversation');
  return messages === undefined || messages.length === 0 ? undefined : messages;
}

/** `{}` and `[]`: Google ADK fills the request of a tool span with one. */
function isEmpty(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value) return false;
  return true;
}

/** LiteLLM writes every value as text, absent ones as Python prints them. */
function isMissing(text: string, sources: SpanSources): boolean {
  return text === 'null' || (text === 'None' && sources.sent.scope.name === 'litellm');
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
