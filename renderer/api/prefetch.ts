/** Prefetches code of screens, so that they open at once, even after the gateway has stopped. */
import { whenNotAway } from './gateway-live.ts';
import { queries } from './queries.ts';

type Load = () => Promise<unknown>;

const parts: Load[] = [];

export const prefetch = (...loads: readonly Load[]): void => void parts.push(...loads);

const restMs = 200;
const rest = () => new Promise((resolve) => setTimeout(resolve, restMs));

/** Waits until the browser is idle; Safari has no `requestIdleCallback`. */
const idle = () => (window.requestIdleCallback ? new Promise((resolve) => window.requestIdleCallback(resolve)) : rest());

/** Requests of the visible screen go first. */
async function whenAtRest(): Promise<void> {
  await whenNotAway();
  while (queries.isFetching() > 0) await rest();
  await idle();
}

/** Loads one part after the other. A part may add parts. */
export async function prefetchAll(): Promise<void> {
  for (let part = parts.shift(); part; part = parts.shift()) {
    await whenAtRest();
    // The error is reported when the screen is opened.
    await part().catch(() => {});
  }
}
