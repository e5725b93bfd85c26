/**
 * The message format of the API, `[{role, content}]` with text or parts, read from untrusted text:
 * an unknown part stays visible as data, a missing field never throws.
 */
import { type MediaPart, readMedia } from './media.ts';

export type Part =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool-call'; id: string; name: string; args: unknown }
  | { type: 'tool-result'; id: string; name: string; result: unknown; isError: boolean }
  | MediaPart
  /** Placeholder for messages or parts that a preview left out. */
  | { type: 'omitted'; count: number }
  | { type: 'data'; value: unknown };

export interface Message {
  role: string;
  name: string;
  parts: Part[];
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown) => (typeof value === 'string' ? value : '');
const first = (part: Fields, ...keys: string[]) => keys.map((key) => part[key]).find((value) => value !== undefined);

/** Parses JSON inside JSON, as in arguments. Text that is not JSON stays text. */
export function parseNestedJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** AI SDK results name their type: `{type: 'text', value}`, `error-json`. */
function unwrapResult(result: unknown): { value: unknown; isError: boolean } {
  if (!isFields(result) || !('value' in result) || Object.keys(result).length !== 2) return { value: result, isError: false };
  const type = text(result.type);
  return ['text', 'json', 'content', 'error-text', 'error-json'].includes(type)
    ? { value: parseNestedJson(result.value), isError: type.startsWith('error') }
    : { value: result, isError: false };
}

const readers: Record<string, (part: Fields) => Part> = {
  text: (part) => ({ type: 'text', text: text(part.text) }),
  reasoning: (part) => ({ type: 'reasoning', text: text(first(part, 'text', 'reasoning', 'content')) }),
  'tool-call': (part) => ({
    type: 'tool-call',
    id: text(part.toolCallId),
    name: text(part.toolName),
    args: parseNestedJson(first(part, 'args', 'input')),
  }),
  'tool-result': (part) => {
    const { value, isError } = unwrapResult(parseNestedJson(first(part, 'result', 'output')));
    return {
      type: 'tool-result',
      id: text(part.toolCallId),
      name: text(part.toolName),
      result: value,
      isError: isError || part.isError === true,
    };
  },
  media: readMedia,
  image: readMedia,
  audio: readMedia,
  video: readMedia,
  file: readMedia,
  omitted: (part) => ({ type: 'omitted', count: Number(part.omitted) || 0 }),
};

function readPart(value: unknown): Part {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isFields(value)) return { type: 'data', value };
  const read = Object.hasOwn(readers, text(value.type)) ? readers[text(value.type)] : undefined;
  return read ? read(value) : { type: 'data', value: value.type === 'data' && 'value' in value ? value.value : value };
}

function readContent(content: unknown): Part[] {
  if (content === null || content === undefined || content === '') return [];
  return Array.isArray(content) ? content.map(readPart) : [readPart(content)];
}

/** The conversation in a text; null for any other text. */
export function readMessages(json: string): Message[] | null {
  const value = parseNestedJson(json);
  if (!Array.isArray(value) || value.length === 0) return null;
  if (!value.every((item) => isFields(item) && typeof item.role === 'string' && 'content' in item)) return null;
  return (value as Fields[]).map((item) => ({
    role: text(item.role),
    name: text(item.name),
    parts:
      item.role === 'omitted' && typeof item.omitted === 'number' ? [{ type: 'omitted', count: item.omitted }] : readContent(item.content),
  }));
}
