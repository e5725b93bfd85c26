import { structuredJson } from './json-value.ts';

/**
 * The arguments of a tool call as a value. Most senders put JSON text into JSON, openinference-vercel 2 does so twice.
 * Text that is not JSON, for example because it was truncated, stays text; an absent or empty text is a call without arguments.
 */
export function toolArguments(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return {};
  if (typeof value !== 'string') return value;
  const once = structuredJson(value);
  if (typeof once !== 'string') return once ?? value;
  return structuredJson(once) ?? once;
}
