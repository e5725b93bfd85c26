/** Yields to the event loop: long work awaits this between its pieces. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
