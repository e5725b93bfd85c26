/**
 * Gets the browser journeys their Chromium: a system one, else the distribution's package where it may be installed,
 * else Playwright's own download. Fails and says so when none can be had; a journey is never skipped for want of a browser.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasPlaywrightChromium, systemChromium } from './chromium.ts';
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

if (!isHere()) {
  say('The browser journeys need Chromium and this machine has none: getting it.');
  const got = (installPackage('chromium') && isHere()) || (fromPlaywright() && isHere());
  if (!got) {
    say('No Chromium could be had: install one (Debian: `apt-get install chromium`), or name one in E2E_CHROMIUM.');
    process.exit(1);
  }
}
