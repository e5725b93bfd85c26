/** Quit waits until acknowledged data is durable and requests in flight are answered, with a message and a time limit. */
import { setTimeout as after } from 'node:timers/promises';

export interface Draining {
  stop(): Promise<void>;
  /** Requests that are not answered yet. */
  working(): number;
}

/** A little longer than the gateway's own time limit. */
const timeoutMs = 10_000;
const pollMs = 100;

export const drainMessage = (count: number): string =>
  count === 0 ? 'Glasshouse: writing what was received' : `Glasshouse: finishing ${count} ${count === 1 ? 'request' : 'requests'}`;

/** @returns whether everything finished in time. @throws errors of stopping */
export async function drain(gateway: Draining, show: (text: string) => void, limitMs = timeoutMs): Promise<boolean> {
  let isDone = false;
  const stopped = gateway.stop().finally(() => {
    isDone = true;
  });
  // Reported below, or too late to matter.
  stopped.catch(() => {});
  let shown = '';
  for (const limit = performance.now() + limitMs; !isDone && performance.now() < limit; ) {
    const text = drainMessage(gateway.working());
    if (text !== shown) show(text);
    shown = text;
    await Promise.race([stopped, after(pollMs)]);
  }
  if (isDone) await stopped;
  return isDone;
}
