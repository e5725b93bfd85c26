/** The address of a shared trace. The token is in the fragment, which browsers do not send. */
const start = '#/shared/';

/** Null for other addresses. */
export const sharedToken = (hash: string): string | null => (hash.startsWith(start) ? hash.slice(start.length) : null);
