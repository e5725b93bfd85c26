import { decoding } from '../file/damaged.ts';

/**
 * @param us microseconds since the epoch
 * @throws StorageError `corrupt` for an invalid time
 */
export const isoOf = (us: number): string => decoding('A time', () => new Date(Math.floor(us / 1000)).toISOString());
