import type { Message, Part } from '../normalised.ts';
import { jsonText } from './json-value.ts';

/**
 * The stored text of messages (docs/reference/ingest.md#messages): JSON of `[{role, content}]`, where `content` is a string when the
 * message is one text and a list of parts otherwise. The part names are those of AgentMark and the AI SDK, so that their
 * consumers can read it. '' for no messages.
 */
export function wireMessages(messages: readonly Message[]): string {
  return messages.length === 0 ? '' : jsonText(messages.map(wireMessage));
}

function wireMessage(message: Message): unknown {
  const only = message.parts.length === 1 ? message.parts[0] : undefined;
  const content = message.parts.length === 0 ? '' : only?.type === 'text' ? only.text : message.parts.map(wirePart);
  return message.name === undefined ? { role: message.role, content } : { role: message.role, name: message.name, content };
}

function wirePart(part: Part): unknown {
  switch (part.type) {
    case 'tool-call':
      return wireToolCall(part);
    case 'tool-result':
      return {
        type: part.type,
        toolCallId: part.id,
        toolName: part.name ?? '',
        result: part.result,
        ...(part.isError === true ? { isError: true } : {}),
      };
    default:
      return part;
  }
}

export type ToolCall = Extract<Part, { type: 'tool-call' }>;
type ToolResult = Extract<Part, { type: 'tool-result' }>;

function wireToolCall(call: ToolCall): Record<string, unknown> {
  const wire: Record<string, unknown> = { type: call.type, toolCallId: call.id, toolName: call.name, args: call.args };
  if (call.providerExecuted === true) wire['providerExecuted'] = true;
  return wire;
}

/** The stored text of the calls in an output, each with its result when the same output has it; '' when there are none. */
export function wireToolCalls(calls: readonly ToolCall[], results: readonly ToolResult[]): string {
  if (calls.length === 0) return '';
  const wire = calls.map((call) => {
    const result = call.id === '' ? undefined : results.find((candidate) => candidate.id === call.id);
    return result === undefined ? wireToolCall(call) : { ...wireToolCall(call), result: result.result };
  });
  return jsonText(wire);
}

export function partsOfType<T extends Part['type']>(messages: readonly Message[], type: T): Extract<Part, { type: T }>[] {
  const found: Extract<Part, { type: T }>[] = [];
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === type) found.push(part as Extract<Part, { type: T }>);
    }
  }
  return found;
}

/** Sets the name of each result to that of its call: OpenAI and Anthropic only send the id of the call. */
export function nameResults(messages: readonly Message[]): void {
  const results = partsOfType(messages, 'tool-result');
  if (results.length === 0) return;
  const names = new Map(partsOfType(messages, 'tool-call').map((call) => [call.id, call.name]));
  for (const result of results) {
    const name = result.name === undefined && result.id !== '' ? names.get(result.id) : undefined;
    if (name) result.name = name;
  }
}
