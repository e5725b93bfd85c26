import { version } from '../../../platform/version.ts';

/**
 * Increase it when the tokens, their encoding or the normaliser change. Every release has an index version of its own, because normalisers
 * change with it; the index is then rebuilt in idle time.
 */
const form = 2;

export const indexVersion = `${version}/${form}`;
