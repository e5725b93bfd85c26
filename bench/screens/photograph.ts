/** Takes the picture of one screen as a person of that size and taste would see it. */
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';

export const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 700 },
] as const;
export const themes = ['dark', 'light'] as const;
export type State = 'loaded' | 'empty' | 'failed';

export interface Shot {
  state: State;
  theme: (typeof themes)[number];
  size: (typeof sizes)[number];
}

const everything = /\/v1\/(?!events|capabilities)/;

/** What is photographed, and where it goes. */
export interface Sight {
  name: string;
  /** Whole, with what stands behind `#`. */
  url: string;
  out: string;
  /** The requests that get no answer where the screen has failed: all but those that every screen needs, when absent. */
  failing?: RegExp | undefined;
  /** What a person would do next. */
  before?: ((page: Page) => Promise<void>) | undefined;
  /** Cookies and storage of whoever has signed in. */
  storageState?: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;
}

export async function photograph(
  browser: Browser,
  { name, url, out, failing = everything, before, storageState }: Sight,
  { state, theme, size }: Shot,
): Promise<void> {
  const looks = { viewport: { ...size }, colorScheme: theme, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...looks, ...(storageState && { storageState }) });
  const page = await context.newPage();
  page.on('pageerror', (error) => process.stdout.write(`  ${name}, ${state}: ${error.message}\n`));
  if (state === 'failed') await page.route(failing, (route) => route.abort('connectionrefused'));
  await page.goto(url);
  await settle(page);
  if (state === 'loaded') {
    await before?.(page);
    await settle(page);
  }
  await page.screenshot({ path: join(out, `${name}-${state}-${theme}-${size.width}.png`) });
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
