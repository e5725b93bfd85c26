import { readId } from '../../../ingest/otlp/identifiers.ts';
import { type StoredId, storeId } from './id-codec.ts';
import type { OpenDatabase } from './open.ts';

/**
 * Comparable key of a score's resource. A score does not say whether its resource is a trace or a span, and the two parse ids a little
 * differently, so both sides of a comparison use this key, with text ids included.
 */
export function resourceKey(id: string): StoredId {
  for (const size of [16, 8] as const) {
    const key = storeId(readId(id, size) ?? '');
    if (typeof key !== 'string') return key;
  }
  return id;
}

/** Registers `resourceKey` as an SQL function of a connection, for `keyOf`. */
export function registerResourceKey(db: OpenDatabase): void {
  db.function('resource_key', { deterministic: true }, (id) => resourceKey(String(id)));
}

/** SQL for the `resourceKey` of an id column. Hex ids are bytes, which have one spelling. */
export const keyOf = (column: string): string => `iif(typeof(${column}) = 'text', resource_key(${column}), ${column})`;
