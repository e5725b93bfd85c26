/** The `test` of all journeys. */
import { test as base } from '@playwright/test';

interface JourneyOptions {
  /** Whether pages load the code of other screens before somebody opens them. It costs a fifth of the processor time of a page. */
  prefetches: boolean;
}

export const test = base.extend<JourneyOptions>({
  prefetches: [false, { option: true }],
  context: async ({ context, prefetches }, use) => {
    // Code is prefetched when the browser is idle, which it never is here.
    if (!prefetches) await context.addInitScript(() => Object.assign(window, { requestIdleCallback: () => 0 }));
    await use(context);
  },
});
