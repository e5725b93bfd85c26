/**
 * `npm run screens -- --dir ../shared/corpus`: takes screenshots of every screen, local and cloud, into docs/screens, in both sizes and both
 * themes, loaded, empty and failed, with recorded and generated traffic. They are for people and for the README; nothing is compared.
 * The text of each screen is written to `.cache/screen-words`. Exits with 1 if axe or the browser finds a fault in any of them.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { systemChromium } from '../scripts/chromium.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { takeCloudScreenshots } from './screens/cloud-screens.ts';
import { screens } from './screens/screens.ts';
import { seedForwarding } from './screens/seed-forwarding.ts';
import { seedStore, writeProject } from './screens/seed-store.ts';
import { takeScreenshots } from './screens/take-screenshot.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '../shared/corpus' },
    out: { type: 'string', default: join(import.meta.dirname, '../docs/screens') },
    /** Only screens whose name matches this regular expression. */
    only: { type: 'string', default: '' },
  },
});

const selected = screens.filter(({ name }) => new RegExp(values.only).test(name));
const executablePath = systemChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  if (values.only === '') rmSync(values.out, { recursive: true, force: true });
  mkdirSync(values.out, { recursive: true });
  if (selected.length > 0) await takeLocalScreenshots();
  await takeCloudScreenshots(browser, { out: values.out, only: values.only, report });
} finally {
  await browser.close();
}

function report(name: string, findings: readonly string[]): void {
  process.stdout.write([name, ...findings.map((finding) => `  ${finding}`), ''].join('\n'));
  if (findings.length > 0) process.exitCode = 1;
}

/** The screens of the local gateway. */
async function takeLocalScreenshots(): Promise<void> {
  const folder = makeScratchFolder('screens');
  const [full, empty] = [join(folder, 'full'), join(folder, 'empty')];
  writeProject(full);
  mkdirSync(empty, { recursive: true });
  const gateways = { full: spawnGateway(full), empty: spawnGateway(empty) };
  const stops: (() => Promise<void>)[] = [];
  try {
    const urls = { full: await gateways.full.ready, empty: await gateways.empty.ready };
    const client = new HttpClient(urls.full);
    const seeded = await seedStore(client, values.dir);
    client.close();
    const clouds = await seedForwarding(urls.full, seeded.agentTrace);
    stops.push(clouds.stop);
    for (const { name, path, before, hasEmptyState, hasFailedState } of selected) {
      const at = (url: string) => ({ name, before, out: values.out, url: `${url}/#${path(seeded)}` });
      const loaded = at(urls.full);
      const states = { loaded, ...(hasEmptyState && { empty: at(urls.empty) }), ...(hasFailedState && { failed: loaded }) };
      report(name, await takeScreenshots(browser, states));
    }
  } finally {
    await Promise.all([gateways.full.stop(), gateways.empty.stop(), ...stops.map((stop) => stop())]);
    removeFolder(folder);
  }
}
