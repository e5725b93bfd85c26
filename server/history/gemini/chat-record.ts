/** Records of a session file of Gemini CLI. The versions of the format are in README.md. */
import { amountAt, isJson, type Json, jsonAt, listAt, textAt } from '../json.ts';
import type { MessagePart } from '../messages.ts';
import type { Usage } from '../turn.ts';

export interface ChatMessage {
  id: string;
  /** Milliseconds since the epoch. */
  atMs: number;
  what:
    | { kind: 'user'; parts: MessagePart[]; shown: MessagePart[] }
    | { kind: 'model'; model: string; parts: MessagePart[]; usage: Usage | null; tools: ChatTool[] }
    | { kind: 'error'; message: string };
}

export interface ChatTool {
  id: string;
  name: string;
  /** JSON. */
  arguments: string;
  /** Milliseconds since the epoch; null while it runs. */
  endMs: number | null;
  result: string;
  error: string | null;
  file: string;
  /** The sub-agent that it was; '' for none. */
  agentId: string;
  agentName: string;
}

/** @returns null for a message that is no part of the conversation; `damaged` for one that cannot be read */
export function messageOf(json: Json): ChatMessage | 'damaged' | null {
  const what = whatOf(json);
  if (!what) return null;
  const atMs = Date.parse(textAt(json, 'timestamp'));
  const id = textAt(json, 'id');
  return id === '' || Number.isNaN(atMs) || atMs < 0 ? 'damaged' : { id, atMs, what };
}

function whatOf(json: Json): ChatMessage['what'] | null {
  const parts = partsOf(json['content']);
  switch (json['type']) {
    case 'user': {
      const shown = partsOf(json['displayContent']);
      return { kind: 'user', parts, shown: shown.length > 0 ? shown : parts };
    }
    case 'gemini':
      return {
        ...{ kind: 'model', model: textAt(json, 'model'), usage: isJson(json['tokens']) ? usageOf(json['tokens']) : null },
        parts: [...listAt(json, 'thoughts').filter(isJson).flatMap(thoughtOf), ...parts],
        tools: listAt(json, 'toolCalls').filter(isJson).flatMap(toolOf),
      };
    case 'error':
      return { kind: 'error', message: parts.flatMap((part) => (part.type === 'text' ? part.content : [])).join('\n') };
    default:
      return null;
  }
}

/** A text, a part, or parts. Calls of tools and their results are in the calls of a message as well. */
function partsOf(content: unknown): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', content }];
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part): MessagePart[] => {
    if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', content: part }];
    if (!isJson(part)) return [];
    const { mimeType, data } = jsonAt(part, 'inlineData');
    if (typeof data === 'string') return [{ type: 'blob', mime_type: String(mimeType ?? ''), modality: 'image', content: data }];
    const text = textAt(part, 'text');
    if (text === '') return [];
    return [{ type: part['thought'] === true ? 'reasoning' : 'text', content: text }];
  });
}

function thoughtOf(thought: Json): MessagePart[] {
  const texts = [textAt(thought, 'subject'), textAt(thought, 'description')].filter((text) => text !== '');
  return texts.length === 0 ? [] : [{ type: 'reasoning', content: texts.join('\n') }];
}

/** Gemini counts neither thoughts as output nor results of its own tools as input; the conventions do. */
const usageOf = (tokens: Json): Usage => ({
  input: amountAt(tokens, 'input') + amountAt(tokens, 'tool'),
  output: amountAt(tokens, 'output') + amountAt(tokens, 'thoughts'),
  cacheRead: amountAt(tokens, 'cached'),
  cacheWrite: 0,
  reasoning: amountAt(tokens, 'thoughts'),
});

const running = new Set(['validating', 'scheduled', 'executing', 'awaiting_approval']);

function toolOf(call: Json): ChatTool[] {
  const id = textAt(call, 'id');
  if (id === '') return [];
  const given = jsonAt(call, 'args');
  const status = textAt(call, 'status');
  const result = resultText(call['result']);
  const atMs = Date.parse(textAt(call, 'timestamp'));
  const shown = jsonAt(call, 'resultDisplay');
  return [
    {
      ...{ id, name: textAt(call, 'name'), arguments: JSON.stringify(given), result },
      endMs: running.has(status) || Number.isNaN(atMs) || atMs < 0 ? null : atMs,
      error: status === 'error' || status === 'cancelled' ? result || status : null,
      file: textAt(given, 'file_path') || textAt(given, 'absolute_path'),
      agentId: textAt(call, 'agentId'),
      agentName: textAt(shown, 'agentName') || textAt(given, 'agent_name') || textAt(call, 'name'),
    },
  ];
}

/** The result is what the model was given: responses of functions, with `output` or `error`, and parts beside them. */
function resultText(result: unknown): string {
  const parts: unknown[] = Array.isArray(result) ? result : [result];
  const texts = parts.map((part): string => {
    if (typeof part === 'string') return part;
    if (!isJson(part)) return '';
    if (!isJson(part['functionResponse'])) return textAt(part, 'text') || (isJson(part['inlineData']) ? '[image]' : '');
    const response = jsonAt(part['functionResponse'], 'response');
    return textAt(response, 'output') || textAt(response, 'error') || (Object.keys(response).length > 0 ? JSON.stringify(response) : '');
  });
  return texts.filter((text) => text !== '').join('\n');
}
