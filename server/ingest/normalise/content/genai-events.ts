import type { RawAttribute, RawEvent, SpanData } from '../../otlp/raw-span.ts';
import { plainValue } from '../attributes.ts';
import type { Message, Role } from '../normalised.ts';
import { append } from './append.ts';
import { nestedParts } from './flattened-messages.ts';
import { isObject, type JsonObject, structuredJson } from './json-value.ts';
import { decodeMessages } from './message-decoder.ts';
import { attributePayload, messagesPayload, type Payload, type Side } from './payload.ts';
import { SpanSources } from './span-sources.ts';
import { systemMessage } from './system-message.ts';

/**
 * Messages in span events (docs/reference/ingest.md#message-events): one event per message (`gen_ai.user.message`, … `gen_ai.choice`),
 * the older `gen_ai.content.prompt` / `.completion`, and `gen_ai.client.inference.operation.details`, whose attributes are those of a
 * span. Log records that were added to their span are read in the same way; their body is in `body`, `event.body` or in attributes.
 */
export function eventPayload(sources: SpanSources, side: Side): Payload | undefined {
  const { events } = sources;
  if (events.length === 0) return undefined;
  const messages: Message[] = [];
  let source = '';
  for (const event of events) {
    const name = eventName(event);
    if (name === undefined) continue;
    if (name === OPERATION_DETAILS) {
      const details = detailsPayload(sources.spanData, event, side);
      if (details !== undefined) return details;
      continue;
    }
    const found = messagesOfEvent(name, bodyOf(event.attributes), side);
    if (found.length > 0 && source === '') source = `event ${name}`;
    append(messages, found);
  }
  return messagesPayload(source, messages);
}

export const OPERATION_DETAILS = 'gen_ai.client.inference.operation.details';
/** Attributes of an event that hold its body. */
export const BODY_KEYS = ['body', 'event.body', 'gen_ai.event.content'] as const;

function eventName(event: RawEvent): string | undefined {
  if (event.name.startsWith('gen_ai.')) return event.name;
  for (const [key, value] of event.attributes) {
    if (key === 'event.name' && typeof value === 'string' && value.startsWith('gen_ai.')) return value;
  }
  return undefined;
}

/** Reads the attributes of the event as those of a span, so that all attributes of family B are supported here too. */
function detailsPayload(spanData: SpanData, event: RawEvent, side: Side): Payload | undefined {
  const body = event.attributes.find(([key]) => key === 'body' || key === 'event.body')?.[1];
  const inner = typeof body === 'object' && body !== null && !Array.isArray(body) && 'map' in body ? body.map : [];
  const attributes = [...event.attributes, ...inner];
  const sources = new SpanSources({ ...spanData, span: { ...spanData.span, attributes, events: [] } });
  const payload = attributePayload(sources, side === 'input' ? 'gen_ai.input.messages' : 'gen_ai.output.messages', side);
  if (payload === undefined) return undefined;
  const source = `event ${event.name} ${payload.source}`;
  const system = side === 'input' && payload.kind === 'messages' ? systemMessage(sources) : undefined;
  if (system === undefined || payload.kind !== 'messages' || payload.messages[0]?.role === 'system') return { ...payload, source };
  return { ...payload, source, messages: [system, ...payload.messages] };
}

/** The body of an event: its attributes, overlaid by the object or JSON text that some senders send in one of them. */
function bodyOf(attributes: readonly RawAttribute[]): JsonObject {
  const body: Record<string, unknown> = Object.assign(Object.create(null), plainValue({ map: [...attributes] }));
  for (const key of BODY_KEYS) {
    const value = typeof body[key] === 'string' ? (structuredJson(body[key]) ?? body[key]) : body[key];
    if (isObject(value)) Object.assign(body, value);
    else if (value !== undefined && value !== null && body['content'] === undefined) body['content'] = value;
  }
  return body;
}

/** The messages that one event adds to a side. Also for Pydantic AI's `events`, which are the same events in one JSON attribute. */
export function messagesOfEvent(name: string, body: JsonObject, side: Side): Message[] {
  switch (name) {
    case 'gen_ai.system.message':
      return side === 'input' ? chat(body, 'system') : [];
    case 'gen_ai.user.message':
      return side === 'input' ? chat(body, 'user') : [];
    case 'gen_ai.assistant.message':
      return side === 'input' ? chat(body, 'assistant') : [];
    case 'gen_ai.tool.message':
      return side === 'input' ? chat(body, 'tool') : [];
    case 'gen_ai.choice':
      return side === 'output' ? choice(body) : [];
    case 'gen_ai.content.prompt':
      return side === 'input' ? contents(body['gen_ai.prompt'] ?? wholeOf(body), 'user') : [];
    case 'gen_ai.content.completion':
      return side === 'output' ? contents(body['gen_ai.completion'] ?? wholeOf(body), 'assistant') : [];
    default:
      return [];
  }
}

function chat(body: JsonObject, role: Role): Message[] {
  const fields = { ...body, role: body['role'] ?? role, content: nestedParts(body['content']) };
  return decodeMessages(fields, role, true) ?? [];
}

/** `message` is an object, its JSON text, a list of parts (Strands), or the plain answer. */
function choice(body: JsonObject): Message[] {
  const message = body['message'] ?? body;
  const parsed = typeof message === 'string' ? (structuredJson(message) ?? message) : message;
  const isMessage = isObject(parsed) && ['content', 'parts', 'tool_calls', 'role'].some((key) => key in parsed);
  const fields: JsonObject = isMessage ? parsed : { content: typeof message === 'string' ? nestedParts(message) : parsed };
  const finish = body['finish_reason'];
  const toolCalls = fields['tool_calls'] ?? body['tool_calls'];
  return chat({ ...fields, tool_calls: toolCalls, ...(typeof finish === 'string' ? { finish_reason: finish } : {}) }, 'assistant');
}

/** Semantic Kernel sends a whole message as the content of the event, others only its text. */
function wholeOf(body: JsonObject): unknown {
  return 'role' in body ? body : (body['content'] ?? body);
}

function contents(value: unknown, role: Role): Message[] {
  const parsed = typeof value === 'string' ? structuredJson(value) : value;
  const messages = decodeMessages(parsed, role, true);
  if (messages !== undefined) return messages;
  return typeof value === 'string' && value !== '' ? [{ role, parts: [{ type: 'text', text: value }] }] : [];
}
