import { isObject } from './json-value.ts';

/** Names that a decorator gave to arguments: they say nothing to a reader. */
const NAMELESS = /^(?:arg\d+|args|kwargs)$/;
/** Names that say nothing when nothing stands beside them. */
const NAMELESS_ALONE = new Set(['input', 'output', 'text', 'content', 'value', 'result', 'outputs', 'prompt']);
const DEPTH_MAX = 6;

/**
 * A value as a reader would say it, without braces and quotes: `{"city":"Paris","days":2}` is `city: Paris, days: 2`. Stops once it has
 * `length` characters, so that a large value costs no more than a small one.
 */
export function readableText(value: unknown, length: number): string {
  const pieces: string[] = [];
  say(value, '', { pieces, left: length }, 0);
  return pieces.join(', ');
}

interface Speech {
  pieces: string[];
  left: number;
}

function say(value: unknown, name: string, speech: Speech, depth: number): void {
  if (speech.left <= 0 || value === null || value === undefined || depth > DEPTH_MAX) return;
  if (typeof value !== 'object') {
    const text = typeof value === 'string' ? value.slice(0, speech.left + 1) : String(value);
    const piece = name === '' ? text : `${name}: ${text}`;
    if (text === '') return;
    speech.pieces.push(piece);
    speech.left -= piece.length + 2;
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      if (speech.left <= 0) return;
      say(item, name, speech, depth + 1);
      name = '';
    }
    return;
  }
  if (isObject(value)) sayFields(value, name, speech, depth);
}

function sayFields(value: Readonly<Record<string, unknown>>, name: string, speech: Speech, depth: number): void {
  if (typeof value['$vector'] === 'number') {
    say(`vector of ${value['$vector']} numbers`, name, speech, depth);
    return;
  }
  let only: boolean | undefined;
  for (const key in value) {
    if (speech.left <= 0) return;
    only ??= NAMELESS_ALONE.has(key) && Object.keys(value).length === 1;
    say(value[key], only || NAMELESS.test(key) ? name : key, speech, depth + 1);
  }
}
