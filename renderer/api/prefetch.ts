/** Prefetches code of screens, so that they open at once, even after the gateway has stopped. */
import { whenNotAway } from './gateway-live.ts';
import { queries } from './queries.ts';

type Load = () => Promise<unknown>;

const queue: Load[] = [];

export const prefetch = (...loads: readonly Load[]): void => void queue.push(...loads);

const pollMs = 200;
const delay = () => new Promise((resolve) => setTimeout(resolve, pollMs));

/** Waits until the browser is idle; Safari has no `requestIdleCallback`. */
const idle = () => (window.requestIdleCallback ? new Promise((resolve) => window.requestIdleCallback(resolve)) : delay());

/** Requests of the visible screen have priority. */
async function whenIdle(): Promise<void> {
  await whenNotAway();
  while (queries.isFetching() > 0) await delay();
  await idle();
}

/** Loads one module after the other. A module may queue more. */
export async function prefetchAll(): Promise<void> {
  for (let load = queue.shift(); load; load = queue.shift()) {
    await whenIdle();
    // The error is reported when the screen is opened.
    await load().catch(() => {});
  }
}
