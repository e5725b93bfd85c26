/** Keys by which scores are found, whatever the spelling of the id that they were sent with. */
import { resourceKey } from '../../sqlite/file/resource-key.ts';

/** Text of a resource key: bytes and a text with the same digits differ. */
export const scoredKey = (key: unknown): string => (typeof key === 'string' ? `=${key}` : (key as Buffer).toString('hex'));

/** Key of the scores of a trace or span; '' for a hex id, which is its own key. */
export const ownScoreKey = (stored: unknown): string => (typeof stored === 'string' ? scoredKey(resourceKey(stored)) : '');
