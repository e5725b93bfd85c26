/**
 * Whoever waits for what is being done: set around the handler of each request, asked where work can be given up. It goes along by itself,
 * so that no interface between the two has to pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Caller {
  /** Aborts when the caller is gone. */
  signal: AbortSignal;
  isAnswered: boolean;
}

const callers = new AsyncLocalStorage<Caller>();

/** Does what a caller asked for. What it leaves running in the background is the gateway's own work from the moment it returns. */
export async function forCaller<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const caller: Caller = { signal, isAnswered: false };
  try {
    return await callers.run(caller, work);
  } finally {
    caller.isAnswered = true;
  }
}

/** Null when nobody waits: this is the gateway's own work. */
export function callerSignal(): AbortSignal | null {
  const caller = callers.getStore();
  return caller && !caller.isAnswered ? caller.signal : null;
}

/** For work that several callers share: it goes on when the one who began it is gone. */
export const asOwnWork = <T>(work: () => T): T => callers.exit(work);
