/**
 * Caller of the current work: set around the handler of each request, and read where work can be cancelled. Async local storage carries it,
 * so that no interface in between has to.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Caller {
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  isAnswered: boolean;
}

const callers = new AsyncLocalStorage<Caller>();

/** Runs work for a caller. Background work belongs to the gateway once this returns. */
export async function forCaller<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const caller: Caller = { signal, isAnswered: false };
  try {
    return await callers.run(caller, work);
  } finally {
    caller.isAnswered = true;
  }
}

/** Null for the gateway's own work. */
export function callerSignal(): AbortSignal | null {
  const caller = callers.getStore();
  return caller && !caller.isAnswered ? caller.signal : null;
}

/** For work that several callers share: it continues when its first caller disconnects. */
export const asOwnWork = <T>(work: () => T): T => callers.exit(work);
