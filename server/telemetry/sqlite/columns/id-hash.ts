/** Span ids as short numbers, so that a few of them are found among millions: rows with the same number are then compared. */
import type { StoredId } from '../file/id-codec.ts';
import type { OpenDatabase } from '../file/open.ts';
import { resourceKey } from '../file/resource-key.ts';

const hashBytes = 3;

/** 24 bits of a key of resource-key.ts. */
export function idHash(key: StoredId): number {
  // Generated ids are random, and others differ at their end.
  if (typeof key !== 'string') return key.length < hashBytes ? 0 : key.readUIntBE(key.length - hashBytes, hashBytes);
  let hash = 0;
  for (let at = 0; at < key.length; at++) hash = (hash * 31 + key.charCodeAt(at)) & 0xffffff;
  return hash;
}

/** Registers `id_hash` as an SQL function of a connection, for the columns of spans. */
export function registerIdHash(db: OpenDatabase): void {
  db.function('id_hash', { deterministic: true }, (id) => idHash(Buffer.isBuffer(id) ? id : resourceKey(String(id))));
}
