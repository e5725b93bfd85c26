import type { RawValue } from '../../otlp/raw-span.ts';
import { textOf } from '../attributes.ts';
import type { FieldResolver } from './field-resolver.ts';

const TAGS_MAX = 20;
const TAG_CHARACTERS_MAX = 100;

/**
 * Tags of all conventions joined: native lists, lists as JSON text, or one text with commas (docs/reference/ingest.md#tags). In the order
 * sent, each once.
 */
export function tagsOf(values: RawValue[], resolver: FieldResolver): string[] {
  const tags = new Set<string>();
  for (const value of values) {
    for (const item of itemsOf(value, resolver)) {
      const tag = item.trim();
      if (tag !== '' && tag.length <= TAG_CHARACTERS_MAX && tags.size < TAGS_MAX) tags.add(tag);
    }
  }
  return [...tags];
}

function itemsOf(value: RawValue, resolver: FieldResolver): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  if (typeof value !== 'string') return [textOf(value)];
  const list = value.trimStart().startsWith('[') ? resolver.json(value) : undefined;
  if (!Array.isArray(list)) return value.split(',');
  return list.filter((item) => item !== null && typeof item !== 'object').map(String);
}
