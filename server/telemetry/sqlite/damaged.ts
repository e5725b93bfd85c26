import { StorageError } from '../storage-error.ts';
import { storageTrouble } from './sqlite-trouble.ts';

/**
 * What a stored record holds, or why nobody will ever read it: its bytes are not what was written. What may pass, such as a
 * disk that does not answer or a read that took too long, is thrown on.
 */
export function readOrWhy<T>(read: () => T): { value: T; why?: undefined } | { value: null; why: string } {
  try {
    return { value: read() };
  } catch (error) {
    const trouble = error instanceof StorageError ? error.trouble : storageTrouble(error);
    if (trouble !== null && trouble !== 'corrupt') throw error;
    return { value: null, why: error instanceof Error ? error.message : String(error) };
  }
}
