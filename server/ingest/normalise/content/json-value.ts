import { parseJson } from '../attributes.ts';

/** A JSON object as a sender wrote it. Read only: its keys are not ours. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum depth to which senders' values are read (docs/reference/ingest.md#messages). */
export const DEPTH_MAX = 32;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a text field; undefined for anything else, so that `{content: 5}` does not pass for text. */
export function textIn(value: JsonObject, key: string): string | undefined {
  const field = value[key];
  return typeof field === 'string' ? field : undefined;
}

const CLOSER = new Map([
  ['{', '}'],
  ['[', ']'],
  ['"', '"'],
]);

/**
 * The value of a text that is a JSON object, array or string; undefined otherwise. Numbers and literals stay text: an output `42` or
 * `true` is not structured. The last character is checked first, because senders truncate long texts, and 15 MB of truncated JSON must not
 * be parsed.
 */
export function structuredJson(text: string): unknown {
  const closer = CLOSER.get(text[firstVisible(text)] ?? '');
  if (closer === undefined || text[lastVisible(text)] !== closer) return undefined;
  return parseJson(text);
}

function firstVisible(text: string): number {
  let index = 0;
  while (index < text.length && text.charCodeAt(index) <= 32) index++;
  return index;
}

function lastVisible(text: string): number {
  let index = text.length - 1;
  while (index >= 0 && text.charCodeAt(index) <= 32) index--;
  return index;
}

/** JSON text of a value; '' for undefined. Values nested deeper than the stack allows lose everything below level 32. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return JSON.stringify(truncated(value, 0)) ?? '';
  }
}

function truncated(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((item) => truncated(item, depth + 1));
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = truncated((value as JsonObject)[key], depth + 1);
  return copy;
}
