/** Filter for the traces that have the same attribute value, where the list can be filtered by it. */
import type { RawSpanReply } from '../../../../shared/contract/tracing/raw-span.ts';
import { spellValue } from '../../../model/filter/filter-text.ts';
import { type Attribute, formatValue } from '../../../model/trace/otlp-value.ts';

/** Normalised fields, each with its filter condition. */
const conditions = {
  request_model: 'model',
  model: 'model',
  user_id: 'user_id',
  session_id: 'session_id',
  prompt_name: 'prompt_name',
  semantic_kind: 'semantic_kind',
} as const;

type Field = keyof typeof conditions;

/** The filter does not accept longer values. */
const valueMax = 500;
const metadataKey = /(?:^|\.)([A-Za-z_]\w{0,63})$/;

/** @param metadata normalised metadata of the span: an attribute that became part of it is filtered by its name there */
export function tracesLike({ provenance, values }: RawSpanReply, { key, value }: Attribute, metadata: Record<string, string>) {
  const text = formatValue(value).trim();
  if (text === '' || text.length > valueMax) return null;
  const field = (Object.keys(conditions) as Field[]).find((name) => provenance[name] === key && values[name] !== undefined);
  if (field) return { filter: `${conditions[field]} = ${spellValue(String(values[field]))}` };
  const name = metadataKey.exec(key)?.[1] ?? '';
  const isMetadata = Object.hasOwn(metadata, name) && metadata[name] === text;
  return isMetadata ? { filter: `metadata.${name} = ${spellValue(text)}` } : null;
}
