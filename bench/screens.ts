/**
 * `npm run screens -- --dir ../shared/corpus`: photographs every screen, of one's own machine and of a team, into docs/screens, at both sizes and in both themes, loaded, empty
 * and failed, with recorded and made-up traffic. For looking at, and for the README; nothing is compared.
 * The words on each screen go to `.cache/screen-words`.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { systemChromium } from '../scripts/chromium.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { photographCloud } from './screens/cloud-screens.ts';
import { forwardSome } from './screens/forward-some.ts';
import { photograph, sizes, themes } from './screens/photograph.ts';
import { screens } from './screens/screens.ts';
import { layOutProject, seedStore } from './screens/seed-store.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '../shared/corpus' },
    out: { type: 'string', default: join(import.meta.dirname, '../docs/screens') },
    /** Only screens whose name contains this. */
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});

const wanted = screens.filter(({ name }) => name.includes(values.only));
const executablePath = systemChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  if (values.only === '') rmSync(values.out, { recursive: true, force: true });
  mkdirSync(values.out, { recursive: true });
  if (wanted.length > 0) await photographLocal();
  await photographCloud(browser, { out: values.out, only: values.only });
} finally {
  await browser.close();
}

/** The screens of one's own machine. */
async function photographLocal(): Promise<void> {
  const folder = makeScratchFolder('screens');
  const [full, bare] = [join(folder, 'full'), join(folder, 'bare')];
  layOutProject(full);
  mkdirSync(bare, { recursive: true });
  const gateways = { full: spawnGateway(full), bare: spawnGateway(bare) };
  const stops: (() => Promise<void>)[] = [];
  try {
    const urls = { full: await gateways.full.ready, bare: await gateways.bare.ready };
    const client = new HttpClient(urls.full);
    const seeded = await seedStore(client, values.dir);
    client.close();
    const clouds = await forwardSome(urls.full, seeded.agentTrace);
    stops.push(clouds.stop);
    for (const { name, path, before, emptyToo, failedToo } of wanted) {
      const sight = { name, before, out: values.out };
      const at = (url: string) => `${url}/#${path(seeded)}`;
      for (const theme of themes) {
        for (const size of sizes) {
          await photograph(browser, { ...sight, url: at(urls.full) }, { state: 'loaded', theme, size });
          if (emptyToo) await photograph(browser, { ...sight, url: at(urls.bare) }, { state: 'empty', theme, size });
          if (failedToo) await photograph(browser, { ...sight, url: at(urls.full) }, { state: 'failed', theme, size });
        }
      }
      process.stdout.write(`${name}\n`);
    }
  } finally {
    await Promise.all([gateways.full.stop(), gateways.bare.stop(), ...stops.map((stop) => stop())]);
    removeFolder(folder);
  }
}
