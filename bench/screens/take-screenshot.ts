/** Takes a screenshot of one screen in a size and theme, and writes its text to a file for review. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Request } from '@playwright/test';

export const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 700 },
] as const;
export const themes = ['dark', 'light'] as const;
export type State = 'loaded' | 'empty' | 'failed';

export interface Variant {
  state: State;
  theme: (typeof themes)[number];
  size: (typeof sizes)[number];
}

const textFolder = join(import.meta.dirname, '../../.cache/screen-words');
const allExceptShared = /\/v1\/(?!events|capabilities)/;

/** The screen, and the folder of the screenshot. */
export interface Target {
  name: string;
  /** The complete URL, with the part after `#`. */
  url: string;
  out: string;
  /** The requests that fail in the failed state; by default all except those that every screen needs. */
  failing?: RegExp | undefined;
  /** Steps in the page before the screenshot. */
  before?: ((page: Page) => Promise<void>) | undefined;
  /** Cookies and storage of a login. */
  storageState?: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['storageState']>>;
}

export async function takeScreenshot(
  browser: Browser,
  { name, url, out, failing = allExceptShared, before, storageState }: Target,
  { state, theme, size }: Variant,
): Promise<void> {
  const appearance = { viewport: { ...size }, colorScheme: theme, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...appearance, ...(storageState && { storageState }) });
  const page = await context.newPage();
  page.on('pageerror', (error) => process.stdout.write(`  ${name}, ${state}: ${error.message}\n`));
  if (state === 'failed') await page.route(failing, (route) => route.abort('connectionrefused'));
  const pendingRequests = watchRequests(page);
  await page.goto(url);
  await settle(page, pendingRequests);
  if (state === 'loaded') {
    await before?.(page);
    await settle(page, pendingRequests);
  }
  await page.screenshot({ path: join(out, `${name}-${state}-${theme}-${size.width}.png`) });
  if (theme === themes[0] && size === sizes[0]) await writeText(page, `${name}-${state}.txt`);
  await context.close();
}

/** Writes the visible text of the screen, and its labels, titles and placeholders. */
async function writeText(page: Page, file: string): Promise<void> {
  const visible = await page.locator('body').innerText();
  const attributes = ['aria-label', 'title', 'placeholder'].map((name) =>
    page.locator(`[${name}]`).evaluateAll((all, attribute) => all.map((element) => element.getAttribute(attribute) ?? ''), name),
  );
  mkdirSync(textFolder, { recursive: true });
  writeFileSync(join(textFolder, file), [visible, ...new Set((await Promise.all(attributes)).flat())].join('\n'));
}

/** Collects requests without a response, except the event stream, which never ends. */
function watchRequests(page: Page): Set<Request> {
  const pendingRequests = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/v1/viewer/live')) pendingRequests.add(request);
  });
  page.on('requestfinished', (request) => pendingRequests.delete(request));
  page.on('requestfailed', (request) => pendingRequests.delete(request));
  return pendingRequests;
}

/** Waits until the screen has text, every request has a response, and no new requests are sent for a while. */
async function settle(page: Page, pendingRequests: ReadonlySet<Request>): Promise<void> {
  await page.waitForLoadState('load');
  await page.locator('main').filter({ hasText: /\S/ }).waitFor();
  for (let quiet = 0; quiet < 2; quiet = pendingRequests.size === 0 ? quiet + 1 : 0)
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
}
