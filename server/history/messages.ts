/** Messages as the GenAI conventions write them. */

export type MessagePart =
  | { type: 'text' | 'reasoning'; content: string }
  | { type: 'tool_call'; id: string; name: string; arguments: unknown }
  | { type: 'blob'; mime_type: string; modality: 'image'; content: string };

/** What a model is given. */
export type InputMessage = { role: 'user'; parts: MessagePart[] } | { role: 'tool'; results: ToolResult[] };

export interface ToolResult {
  callId: string;
  text: string;
  isError: boolean;
}

/** The texts of a message, reasoning included. */
export const textOf = (parts: readonly MessagePart[]): string =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? part.content : [])).join('\n');

/** '' for a message without parts. */
export const messageOf = (role: string, parts: readonly MessagePart[]): string =>
  parts.length === 0 ? '' : JSON.stringify([{ role, parts }]);

export const inputMessages = (input: readonly InputMessage[]): string => (input.length === 0 ? '' : JSON.stringify(input.map(asWritten)));

const asWritten = (message: InputMessage): object =>
  message.role === 'user'
    ? message
    : {
        role: 'tool',
        parts: message.results.map(({ callId, text }) => ({ type: 'tool_call_response', id: callId, response: text })),
      };
