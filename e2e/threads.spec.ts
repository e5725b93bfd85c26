/** Gateways of journeys run in Playwright's own worker, whose flags their threads take over. */
import { expect, test } from '@playwright/test';

test('threads of a journey load sources as those of a gateway do, or V8 may end the worker (docs/gotchas.md)', () => {
  expect(process.execArgv).toContainEqual(expect.stringMatching(/^--require=.*from-sources\.cjs$/));
});
