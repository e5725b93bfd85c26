/**
 * `npm run screens -- --dir ../shared/corpus`: photographs every screen into docs/screens, at both sizes and in both themes, loaded, empty
 * and failed, with recorded and made-up traffic. For looking at, and for the README; nothing is compared.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from '@playwright/test';
import { systemChromium } from '../scripts/chromium.ts';
import { spawnGateway } from './gateway/gateway-process.ts';
import { HttpClient } from './gateway/http-client.ts';
import { makeScratchFolder, removeFolder } from './gateway/scratch-folder.ts';
import { type Furnished, furnish, layOutProject } from './screens/furnish.ts';
import { type Screen, screens } from './screens/screens.ts';

const { values } = parseArgs({
  options: {
    dir: { type: 'string', default: '../shared/corpus' },
    out: { type: 'string', default: join(import.meta.dirname, '../docs/screens') },
    /** Only screens whose name contains this. */
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});

const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 700 },
];
const themes = ['dark', 'light'] as const;
type State = 'loaded' | 'empty' | 'failed';

const folder = makeScratchFolder('screens');
const [full, bare] = [join(folder, 'full'), join(folder, 'bare')];
layOutProject(full);
mkdirSync(bare, { recursive: true });
const gateways = { full: spawnGateway(full), bare: spawnGateway(bare) };
const executablePath = systemChromium();
const browser = await chromium.launch(executablePath === undefined ? {} : { executablePath });
try {
  const urls = { full: await gateways.full.ready, bare: await gateways.bare.ready };
  const client = new HttpClient(urls.full);
  const furnished = await furnish(client, values.dir);
  client.close();
  if (values.only === '') rmSync(values.out, { recursive: true, force: true });
  mkdirSync(values.out, { recursive: true });
  for (const screen of screens.filter(({ name }) => name.includes(values.only))) {
    for (const theme of themes) {
      for (const size of sizes) {
        await photograph(browser, urls.full, screen, furnished, { state: 'loaded', theme, size });
        if (screen.emptyToo) await photograph(browser, urls.bare, screen, furnished, { state: 'empty', theme, size });
        if (screen.failedToo) await photograph(browser, urls.full, screen, furnished, { state: 'failed', theme, size });
      }
    }
    process.stdout.write(`${screen.name}\n`);
  }
} finally {
  await browser.close();
  await Promise.all([gateways.full.stop(), gateways.bare.stop()]);
  removeFolder(folder);
}

interface Shot {
  state: State;
  theme: (typeof themes)[number];
  size: { width: number; height: number };
}

async function photograph(
  browser: Browser,
  url: string,
  screen: Screen,
  furnished: Furnished,
  { state, theme, size }: Shot,
): Promise<void> {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('pageerror', (error) => process.stdout.write(`  ${screen.name}, ${state}: ${error.message}\n`));
  if (state === 'failed') await page.route(/\/v1\/(?!events|capabilities)/, (route) => route.abort('connectionrefused'));
  await page.goto(`${url}/#${screen.path(furnished)}`);
  await settle(page);
  if (state === 'loaded') {
    await screen.before?.(page);
    await settle(page);
  }
  await page.screenshot({ path: join(values.out, `${screen.name}-${state}-${theme}-${size.width}.png`) });
  await context.close();
}

/** Until nothing was asked for a while. The stream of events never ends, so the network as a whole is never idle. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  const asked = () => page.evaluate(() => performance.getEntriesByType('resource').length);
  const frames = () => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)));
  for (let before = -1, now = await asked(); now !== before; now = await asked()) {
    before = now;
    await frames();
  }
}
