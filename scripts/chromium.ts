import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Chromium without a window: takes a quarter less processor time than the full browser. */
export const headlessShell = '/usr/bin/chromium-headless-shell';

const places = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The browser the journeys run in: the one E2E_CHROMIUM names, else a system one. Undefined lets Playwright use its own
 * download, if it has one (`hasPlaywrightChromium`).
 */
export const systemChromium = (): string | undefined => process.env.E2E_CHROMIUM ?? places.find((place) => existsSync(place));

export const hasPlaywrightChromium = (): boolean => existsSync(chromium.executablePath());
