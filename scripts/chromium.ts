import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Headless Chromium uses a quarter less CPU time than the full browser. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

const paths = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Path of the browser for the journeys: the value of E2E_CHROMIUM, else a system browser. With undefined, Playwright uses its own
 * download, if there is one (`hasPlaywrightChromium`).
 */
export const systemChromium = (): string | undefined => process.env.E2E_CHROMIUM ?? paths.find((path) => existsSync(path));

export const hasPlaywrightChromium = (): boolean => existsSync(chromium.executablePath());
