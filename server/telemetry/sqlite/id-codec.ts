/**
 * Hex ids are stored as bytes, half their length; readable ids as text. The two cannot meet: a BLOB never equals a TEXT.
 */
const hex = /^(?:[0-9a-f]{32}|[0-9a-f]{16})$/;

export type StoredId = Buffer | string;

export const storeId = (id: string): StoredId => (hex.test(id) ? Buffer.from(id, 'hex') : id);

/** A stored id as the key of a map: bytes in hex and the text of the same letters are two ids. */
export const storedIdKey = (stored: unknown): string => (typeof stored === 'string' ? `=${stored}` : (stored as Buffer).toString('hex'));

export const readStoredId = (stored: unknown): string => (typeof stored === 'string' ? stored : (stored as Buffer).toString('hex'));
