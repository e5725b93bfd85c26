/**
 * Messages as a list of facts, so that two formats of one conversation compare equal: a text, a call, a result or an image, each with its
 * role. Empty texts are left out; the texts of one message are joined to one text.
 */
import type { ExpectedCall, ExpectedMessage } from './expectation.ts';

export type Fact =
  | { kind: 'text'; role: string; value: unknown }
  | { kind: 'call'; role: string; id: string | undefined; name: string; value: unknown }
  | { kind: 'result'; role: string; id: string | undefined; value: unknown }
  | { kind: 'image'; role: string; value: string; mimeType: string | undefined };

interface WirePart {
  type: string;
  text?: string;
  toolCallId?: string;
  toolName?: string;
  args?: unknown;
  result?: unknown;
  base64?: string;
  url?: string;
  mimeType?: string;
}

interface WireMessage {
  role: string;
  content: string | WirePart[];
}

/**
 * Facts of `input` as the API returns it: JSON of `[{role, content}]` (docs/reference/ingest.md#messages). Text that is no such list is a
 * user message.
 */
export function shownFacts(input: string): Fact[] {
  const messages = readMessages(input);
  if (!messages) return input === '' ? [] : [{ kind: 'text', role: 'user', value: input }];
  return messages.flatMap(({ role, content }) => {
    if (typeof content === 'string') return textFact(role, content);
    const text = content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('');
    return [...textFact(role, text), ...content.flatMap((part) => partFact(role, part))];
  });
}

function readMessages(input: string): WireMessage[] | null {
  try {
    const value: unknown = JSON.parse(input);
    return Array.isArray(value) &&
      value.every((message) => typeof message === 'object' && message !== null && 'role' in message && 'content' in message)
      ? (value as WireMessage[])
      : null;
  } catch {
    return null;
  }
}

const textFact = (role: string, text: unknown): Fact[] => (text === '' ? [] : [{ kind: 'text', role, value: text }]);

function partFact(role: string, part: WirePart): Fact[] {
  if (part.type === 'tool-call') return [{ kind: 'call', role, id: part.toolCallId, name: part.toolName ?? '', value: part.args }];
  if (part.type === 'tool-result') return [{ kind: 'result', role, id: part.toolCallId, value: part.result }];
  if (part.type === 'media') return [{ kind: 'image', role, value: part.base64 ?? part.url ?? '', mimeType: part.mimeType }];
  return [];
}

export function expectedFacts(messages: readonly ExpectedMessage[]): Fact[] {
  return messages.flatMap(({ role, text, tool_calls = [], tool_results = [], tool_call_id, images = [] }) => {
    // The text of a message that answers a call is the result.
    const textFacts: Fact[] = tool_call_id !== undefined ? [{ kind: 'result', role, id: tool_call_id, value: text }] : textFact(role, text);
    return [
      // Some expectations have a result twice: as the text and as the result.
      ...(tool_results.length > 0 ? [] : textFacts),
      ...tool_calls.map((call): Fact => callFact(role, call)),
      ...tool_results.map(({ id, result }): Fact => ({ kind: 'result', role, id, value: result })),
      ...images.map(({ base64, url, mime_type }): Fact => ({ kind: 'image', role, value: base64 ?? url ?? '', mimeType: mime_type })),
    ];
  });
}

const callFact = (role: string, { id, name, arguments: args }: ExpectedCall): Fact => ({ kind: 'call', role, id, name, value: args });

/** The calls of an output. @param toolCalls JSON text as the API returns it; '' or null for none */
export function shownCalls(toolCalls: string | null): { id: string; name: string; args: unknown; result: unknown }[] {
  if (!toolCalls) return [];
  const calls = JSON.parse(toolCalls) as { toolCallId: string; toolName: string; args: unknown; result?: unknown }[];
  return calls.map(({ toolCallId, toolName, args, result }) => ({ id: toolCallId, name: toolName, args, result }));
}
