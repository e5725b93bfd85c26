/**
 * Hex ids are stored as bytes, half their length; readable ids as text. The two never collide: a BLOB never equals a TEXT.
 */
import { StorageError } from '../../storage-error.ts';

const hex = /^(?:[0-9a-f]{32}|[0-9a-f]{16})$/;

export type StoredId = Buffer | string;

export const storeId = (id: string): StoredId => (hex.test(id) ? Buffer.from(id, 'hex') : id);

/** Map key of a stored id. Bytes and a text with the same hex digits are different ids. */
export const storedIdKey = (stored: unknown): string => (typeof stored === 'string' ? `=${stored}` : (stored as Buffer).toString('hex'));

/** @throws StorageError `corrupt` when the value is not an id */
export function readStoredId(stored: unknown): string {
  if (typeof stored === 'string') return stored;
  if (stored instanceof Uint8Array && (stored.length === 16 || stored.length === 8)) return (stored as Buffer).toString('hex');
  throw new StorageError('corrupt', 'An id is damaged');
}
