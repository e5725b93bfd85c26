import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { systemChromium } from './scripts/chromium.ts';

const executablePath = systemChromium();
const isCi = process.env.CI !== undefined;

// As `npm run gateway`: journeys start threads by the hundred. Playwright has no option for it and forks its workers with the flags
// of its own process; the workers read this file too.
const fromSources = `--require=${join(import.meta.dirname, 'scripts/from-sources.cjs')}`;
if (!process.execArgv.includes(fromSources)) process.execArgv.push(fromSources);

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // The machines that run this have two cores; the gateway under test wants one of them.
  workers: 1,
  retries: 0,
  // Limits are for what hangs, whatever else the machine does.
  timeout: 300_000,
  // How soon a page has drawn is for the benchmarks to say: a busy machine is no fault of the page.
  expect: { timeout: 60_000 },
  forbidOnly: isCi,
  reporter: [['list'], ['./scripts/tally-playwright.ts']],
  use: {
    launchOptions: executablePath === undefined ? {} : { executablePath },
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
  },
});
