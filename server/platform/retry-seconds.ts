/** Retry-After for overload: 1 to 5 seconds at random, so that refused clients do not return together. */
export const retrySeconds = (): number => 1 + Math.floor(Math.random() * 5);
