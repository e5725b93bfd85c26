/** Gateways of journeys run in Playwright's own worker process, whose flags their threads inherit. */
import { expect } from '@playwright/test';
import { test } from './journey.ts';

test('threads of a journey load sources like those of a gateway, because otherwise V8 may crash the worker (docs/gotchas.md)', () => {
  expect(process.execArgv).toContainEqual(expect.stringMatching(/^--require=.*from-sources\.cjs$/));
});
