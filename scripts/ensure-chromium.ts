/**
 * Installs Chromium for the browser journeys: the distribution's headless shell where it can be installed, else a system browser, else
 * Playwright's own download. Fails with a message when there is none; a journey is never skipped because the browser is missing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasPlaywrightChromium, headlessShell, systemChromium } from './chromium.ts';
import { installPackage, runCommand } from './distribution-package.ts';

const root = join(import.meta.dirname, '..');
const print = (line: string) => process.stderr.write(`${line}\n`);

const installFromPlaywright = () =>
  runCommand(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium'], root);

const isInstalled = () => systemChromium() !== undefined || hasPlaywrightChromium();

const configured = process.env.E2E_CHROMIUM;
if (configured !== undefined && !existsSync(configured)) {
  print(`E2E_CHROMIUM names ${configured}, which does not exist.`);
  process.exit(1);
}

if (configured === undefined && !existsSync(headlessShell)) installPackage('chromium-headless-shell');

if (!isInstalled()) {
  print('The browser journeys need Chromium, which is not installed: installing it.');
  if (!installFromPlaywright() || !isInstalled()) {
    print(
      'Chromium could not be installed: install it (Debian: `apt-get install chromium-headless-shell`), or set E2E_CHROMIUM to its path.',
    );
    process.exit(1);
  }
}
