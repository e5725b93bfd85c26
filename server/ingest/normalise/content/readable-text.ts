import { isObject } from './json-value.ts';

/** Argument names made up by a decorator, which are of no use to a reader. */
const NAMELESS = /^(?:arg\d+|args|kwargs)$/;
/** Names that are left out when they are the only field. */
const NAMELESS_ALONE = new Set(['input', 'output', 'text', 'content', 'value', 'result', 'outputs', 'prompt']);
const DEPTH_MAX = 6;

/**
 * A value without braces and quotes: `{"city":"Paris","days":2}` is `city: Paris, days: 2`. Stops at `length` characters, so that a large
 * value costs no more than a small one.
 */
export function readableText(value: unknown, length: number): string {
  const pieces: string[] = [];
  append(value, '', { pieces, remaining: length }, 0);
  return pieces.join(', ');
}

interface Output {
  pieces: string[];
  remaining: number;
}

function append(value: unknown, name: string, output: Output, depth: number): void {
  if (output.remaining <= 0 || value === null || value === undefined || depth > DEPTH_MAX) return;
  if (typeof value !== 'object') {
    const text = typeof value === 'string' ? value.slice(0, output.remaining + 1) : String(value);
    const piece = name === '' ? text : `${name}: ${text}`;
    if (text === '') return;
    output.pieces.push(piece);
    output.remaining -= piece.length + 2;
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      if (output.remaining <= 0) return;
      append(item, name, output, depth + 1);
      name = '';
    }
    return;
  }
  if (isObject(value)) appendFields(value, name, output, depth);
}

function appendFields(value: Readonly<Record<string, unknown>>, name: string, output: Output, depth: number): void {
  if (typeof value['$vector'] === 'number') {
    append(`vector of ${value['$vector']} numbers`, name, output, depth);
    return;
  }
  let only: boolean | undefined;
  for (const key in value) {
    if (output.remaining <= 0) return;
    only ??= NAMELESS_ALONE.has(key) && Object.keys(value).length === 1;
    append(value[key], only || NAMELESS.test(key) ? name : key, output, depth + 1);
  }
}
