import type { Part } from '../normalised.ts';
import { hasMimeType } from './dialects/media-parts.ts';
import { DEPTH_MAX, isObject } from './json-value.ts';
import { mediaIn } from './media.ts';

/**
 * Generated media at any depth of an output: objects with a string `base64` and a string `mimeType` or `mediaType` (contract), as an image
 * result (a list of them) or a speech result (one, with a `format`). `text` is the text of the output; it is checked first, because few
 * outputs contain media.
 */
export function generatedMedia(value: unknown, text: string): Part[] {
  const found: Part[] = [];
  if (typeof value === 'object' && value !== null && text.includes('"base64"')) collect(value, found, 0);
  return found;
}

function collect(value: unknown, found: Part[], depth: number): void {
  if (depth >= DEPTH_MAX || typeof value !== 'object' || value === null) return;
  if (isObject(value) && typeof value['base64'] === 'string' && hasMimeType(value)) {
    const part = mediaIn(value);
    if (part !== undefined) found.push(part);
    return;
  }
  for (const item of Array.isArray(value) ? value : Object.values(value)) collect(item, found, depth + 1);
}
