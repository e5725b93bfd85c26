/** Parts of the page that come before anybody wants them, so that a screen opens at once, and also when the gateway has stopped since. */
import { whenNotAway } from './gateway-live.ts';
import { queries } from './queries.ts';

type Load = () => Promise<unknown>;

const parts: Load[] = [];

export const comeAhead = (...loads: readonly Load[]): void => void parts.push(...loads);

const restMs = 200;
const rest = () => new Promise((resolve) => setTimeout(resolve, restMs));

/** The browser has nothing else to do; Safari does not say when. */
const idle = () => (window.requestIdleCallback ? new Promise((resolve) => window.requestIdleCallback(resolve)) : rest());

/** What is waited for goes first. */
async function whenAtRest(): Promise<void> {
  await whenNotAway();
  while (queries.isFetching() > 0) await rest();
  await idle();
}

/** One after the other. Parts may bring parts of their own. */
export async function fetchAhead(): Promise<void> {
  for (let part = parts.shift(); part; part = parts.shift()) {
    await whenAtRest();
    // Whoever wants it later hears why it did not come.
    await part().catch(() => {});
  }
}
