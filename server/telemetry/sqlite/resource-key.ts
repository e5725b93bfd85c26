import { readId } from '../../ingest/otlp/identifiers.ts';
import { type StoredId, storeId } from './id-codec.ts';

/**
 * What the resource of a score is found by. A score does not say whether its resource is a trace or a span, and the two read their
 * ids a little differently, so both sides of a comparison go through this: the resource, and ids that are stored as text.
 */
export function resourceKey(id: string): StoredId {
  for (const size of [16, 8] as const) {
    const key = storeId(readId(id, size) ?? '');
    if (typeof key !== 'string') return key;
  }
  return id;
}
