import { version } from '../../../platform/version.ts';

/**
 * Raise it when the words or their form change, or what the normaliser reads out of a span. Every release begins an index version
 * of its own, since normalisers change with it; the index is then made anew, beside the daily work.
 */
const form = 2;

export const indexVersion = `${version}/${form}`;
