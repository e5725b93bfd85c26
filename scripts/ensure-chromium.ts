/**
 * Gets the browser journeys their Chromium: the distribution's headless shell where it may be installed, else a browser of the system,
 * else Playwright's own download. Fails and says so when none can be had; a journey is never skipped for want of a browser.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasPlaywrightChromium, headlessShell, systemChromium } from './chromium.ts';
import { installPackage, ran } from './distribution-package.ts';

const root = join(import.meta.dirname, '..');
const say = (line: string) => process.stderr.write(`${line}\n`);

const fromPlaywright = () => ran(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'], root);

const isHere = () => systemChromium() !== undefined || hasPlaywrightChromium();

const named = process.env.E2E_CHROMIUM;
if (named !== undefined && !existsSync(named)) {
  say(`E2E_CHROMIUM names ${named}, which does not exist.`);
  process.exit(1);
}

if (named === undefined && !existsSync(headlessShell)) installPackage('chromium-headless-shell');

if (!isHere()) {
  say('The browser journeys need Chromium and this machine has none: getting it.');
  if (!fromPlaywright() || !isHere()) {
    say('No Chromium could be had: install one (Debian: `apt-get install chromium-headless-shell`), or name one in E2E_CHROMIUM.');
    process.exit(1);
  }
}
