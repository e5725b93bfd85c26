import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { systemChromium } from './scripts/chromium.ts';

const executablePath = systemChromium();
const isCi = process.env.CI !== undefined;

// As `npm run gateway`: journeys start threads by the hundred. Playwright has no option for it and forks its workers with the flags
// of its own process; the workers read this file too.
const fromSources = `--require=${join(import.meta.dirname, 'scripts/from-sources.cjs')}`;
if (!process.execArgv.includes(fromSources)) process.execArgv.push(fromSources);

/** Pages of one site share a process, which has compiled the viewer's code already. */
const oneRenderer = ['--renderer-process-limit=1', '--disable-site-isolation-trials'];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: join(import.meta.dirname, 'scripts/thread-bundle.ts'),
  outputDir: 'test-results',
  // Each file of journeys starts gateways of its own. The machines that run this have two cores; a journey waits much of its time.
  workers: 2,
  retries: 0,
  // Limits are for what hangs, whatever else the machine does.
  timeout: 300_000,
  // How soon a page has drawn is for the benchmarks to say: a busy machine is no fault of the page.
  expect: { timeout: 60_000 },
  forbidOnly: isCi,
  reporter: [['list'], ['./scripts/playwright-reporter.ts']],
  use: {
    launchOptions: executablePath === undefined ? { args: oneRenderer } : { args: oneRenderer, executablePath },
    // Playwright clears the context between journeys. A new one costs a third of the processor time of a page.
    reuseContext: true,
    // Traces take a quarter of the processor time of a run. `npm test` reruns failed journeys with a trace (scripts/runners.ts).
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});
