/** Lets everybody else of the event loop go first: long work is done in pieces with this between them. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
