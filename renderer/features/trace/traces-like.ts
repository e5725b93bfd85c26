/** The list of traces narrowed to one value of a span, where the list can be narrowed by it. */
import type { RawSpanReply } from '../../../shared/contract/raw-span.ts';
import { type Attribute, inWords } from '../../model/otlp-value.ts';

/** Fields that were understood, and the filter of the list that means them. */
const filters = { request_model: 'model', model: 'model', user_id: 'user_id', session_id: 'session_id', trace_name: 'name' } as const;

type Field = keyof typeof filters;

/** Longer values do not fit an address. */
const valueMax = 500;

export function tracesLike({ provenance }: RawSpanReply, { key, value }: Attribute): Record<string, string> | null {
  const field = (Object.keys(filters) as Field[]).find((each) => provenance[each] === key);
  const text = inWords(value).trim();
  return field && text !== '' && text.length <= valueMax ? { [filters[field]]: text } : null;
}
