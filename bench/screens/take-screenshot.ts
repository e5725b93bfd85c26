/** Takes a screenshot of one screen in a size and theme, checks it, and writes its text to a file for review. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page, Request } from '@playwright/test';
import { accessibilityFindings } from './accessibility.ts';

const sizes = [
  { width: 1440, height: 900 },
  { width: 900, height: 700 },
] as const;
const themes = ['dark', 'light'] as const;
type State = 'loaded' | 'empty' | 'failed';

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

/**
 * Takes a screen in each of the given states, in both sizes and both themes.
 * @returns what is wrong with it, a line for each finding
 */
export async function takeScreenshots(browser: Browser, states: Partial<Record<State, Target>>): Promise<string[]> {
  const pages = (Object.entries(states) as [State, Target][]).flatMap(([state, target]) =>
    sizes.map((size) =>
      takeState(browser, target, state, size).catch((error: Error) => [`${target.name}, ${state}, ${size.width}: ${error.message}`]),
    ),
  );
  return (await Promise.all(pages)).flat();
}

type Size = (typeof sizes)[number];

async function takeState(browser: Browser, { name, url, out, failing, before, storageState }: Target, state: State, size: Size) {
  const findings: string[] = [];
  const context = await browser.newContext({ viewport: { ...size }, reducedMotion: 'reduce', ...(storageState && { storageState }) });
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: themes[0] });
  page.on('pageerror', (error) => findings.push(`${name}, ${state}: ${error.message}`));
  if (state === 'failed') await page.route(failing ?? allExceptShared, (route) => route.abort('connectionrefused'));
  const pendingRequests = watchRequests(page);
  await page.goto(url);
  await settle(page, pendingRequests);
  if (state === 'loaded') {
    await before?.(page);
    await settle(page, pendingRequests);
  }
  if (size === sizes[0]) await writeText(page, `${name}-${state}.txt`);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const picture = `${name}-${state}-${colorScheme}-${size.width}`;
    await page.screenshot({ path: join(out, `${picture}.png`) });
    findings.push(...(await faultsOf(page, colorScheme !== themes[0])).map((fault) => `${picture}: ${fault}`));
  }
  await context.close();
  return findings;
}

/** Findings of axe, and a page that is wider than its window. */
async function faultsOf(page: Page, isOtherTheme: boolean): Promise<string[]> {
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  return [...(await accessibilityFindings(page, isOtherTheme)), ...(isTooWide ? ['The page is wider than the window'] : [])];
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
