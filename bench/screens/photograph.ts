/** Takes the picture of one screen as a person of that size and taste would see it, and writes down the words on it, to be read aloud. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Request } from '@playwright/test';

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

const wordsFolder = join(import.meta.dirname, '../../.cache/screen-words');
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
  const open = watchRequests(page);
  await page.goto(url);
  await settle(page, open);
  if (state === 'loaded') {
    await before?.(page);
    await settle(page, open);
  }
  await page.screenshot({ path: join(out, `${name}-${state}-${theme}-${size.width}.png`) });
  if (theme === themes[0] && size === sizes[0]) await writeWords(page, `${name}-${state}.txt`);
  await context.close();
}

/** What is written on the screen, and what is read aloud or shown on hover instead of it. */
async function writeWords(page: Page, file: string): Promise<void> {
  const written = await page.locator('body').innerText();
  const attributes = ['aria-label', 'title', 'placeholder'].map((name) =>
    page.locator(`[${name}]`).evaluateAll((all, attribute) => all.map((each) => each.getAttribute(attribute) ?? ''), name),
  );
  mkdirSync(wordsFolder, { recursive: true });
  writeFileSync(join(wordsFolder, file), [written, ...new Set((await Promise.all(attributes)).flat())].join('\n'));
}

/** Counts what was asked and is not answered yet, but for the stream of events, which never ends. */
function watchRequests(page: Page): Set<Request> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/v1/viewer/live')) open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return open;
}

/** Until the screen says something, everything was answered, and nothing more was asked for a while. */
async function settle(page: Page, open: ReadonlySet<Request>): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('main').filter({ hasText: /\S/ }).waitFor();
  for (let quiet = 0; quiet < 2; quiet = open.size === 0 ? quiet + 1 : 0)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
}
