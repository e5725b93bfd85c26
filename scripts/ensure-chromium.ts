/**
 * Gets the browser journeys their Chromium: a system one, else the distribution's package where it may be installed,
 * else Playwright's own download. Fails and says so when none can be had; a journey is never skipped for want of a browser.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasPlaywrightChromium, systemChromium } from './chromium.ts';

const root = join(import.meta.dirname, '..');
const say = (line: string) => process.stderr.write(`${line}\n`);

function ran(command: string, options: string[]): boolean {
  say(`> ${[command, ...options].join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, options, { cwd: root, env, stdio: ['ignore', 2, 2], timeout: 10 * 60_000 }).status === 0;
}

function fromDistribution(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  // The list of packages of a new machine is empty or old, so a first refusal means little.
  return ran('apt-get', install) || (ran('apt-get', ['update', '-qq']) && ran('apt-get', install));
}

const fromPlaywright = () => ran(process.execPath, [join(root, 'node_modules/playwright/cli.js'), 'install', 'chromium']);

const isHere = () => systemChromium() !== undefined || hasPlaywrightChromium();

const named = process.env.E2E_CHROMIUM;
if (named !== undefined && !existsSync(named)) {
  say(`E2E_CHROMIUM names ${named}, which does not exist.`);
  process.exit(1);
}

if (!isHere()) {
  say('The browser journeys need Chromium and this machine has none: getting it.');
  const got = (fromDistribution() && isHere()) || (fromPlaywright() && isHere());
  if (!got) {
    say('No Chromium could be had: install one (Debian: `apt-get install chromium`), or name one in E2E_CHROMIUM.');
    process.exit(1);
  }
}
