import { version } from '../../../platform/version.ts';

/**
 * Increase it when tokens, their encoding or the normaliser change. Every release has its own index version, because normalisers may change;
 * the index is then rebuilt in idle time.
 */
const format = 2;

export const indexVersion = `${version}/${format}`;
