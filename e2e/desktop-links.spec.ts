/** Tries every hostile address through every exit of a window: only web addresses may be opened, and only after confirmation. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { buildDesktop, type DesktopApp, desktopKind, launchDesktop, openDisplay } from './electron/desktop-app.ts';
import type { ShellRecord } from './electron/shell-recorder.ts';
import { hostileAddresses, webAddresses } from './hostile-addresses.ts';
import { test } from './journey.ts';

let home: string;
let display: Awaited<ReturnType<typeof openDisplay>>;
let app: DesktopApp;
let page: Page;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  buildDesktop();
  display = await openDisplay();
  home = mkdtempSync(join(tmpdir(), 'glasshouse-links-'));
  mkdirSync(join(home, 'data'));
  app = await launchDesktop({ dataDir: join(home, 'data'), env: display.env });
  await expect.poll(() => app.pages().length).toBe(1);
  page = app.pages()[0] as Page;
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
});
test.afterAll(async () => {
  app?.process.kill('SIGKILL');
  display?.close();
  if (home) rmSync(home, { recursive: true, force: true });
});

const answerWith = (press: number | null) =>
  app.evaluate((_, given) => {
    const { shellRecord } = globalThis as unknown as { shellRecord: ShellRecord };
    Object.assign(shellRecord, { press: given, questions: [], opened: [] });
  }, press);

type Bridge = { glasshouse: { openExternal(link: { url: unknown }): Promise<unknown> } };

/** The ways to open an address from a page, and navigation in the main process. An exception in the page means that nothing was opened. */
const sinks: Record<string, (address: string) => Promise<void>> = {
  'the bridge': (address) =>
    page.evaluate(async (url) => {
      await (window as unknown as Bridge).glasshouse.openExternal({ url }).catch(() => {});
    }, address),
  'window.open': (address) =>
    page.evaluate((url) => {
      try {
        window.open(url, '_blank', 'noopener');
      } catch {
        // Not a valid URL.
      }
    }, address),
  'a navigation': (address) =>
    app.evaluate(({ BrowserWindow }, url) => {
      let isPrevented = false;
      const sent = {
        url,
        preventDefault: () => {
          isPrevented = true;
        },
      };
      BrowserWindow.getAllWindows()[0].webContents.emit('will-navigate', sent);
      if (!isPrevented) throw new Error(`navigated to ${url}`);
    }, address),
};

/** The question, if there is one, is asked and answered within one turn of the main process. */
const settled = () => app.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve, 0)));

test(`none of ${hostileAddresses.length} hostile addresses is opened, whatever the user presses (${desktopKind})`, async () => {
  expect(hostileAddresses.length).toBeGreaterThanOrEqual(260);
  await answerWith(0);
  for (const [name, sink] of Object.entries(sinks)) {
    for (const address of hostileAddresses) await sink(address);
    await settled();
    const { opened, questions } = await app.shellRecord();
    const shown = questions.map(({ detail }) => detail);
    // A browser reads `\\\\attacker\\share` on a page as http://attacker/share, which is a web address and is confirmed as one.
    const isConfirmed = (url: string) => name === 'window.open' && /^https?:\/\/[^@]*$/.test(url) && shown.includes(url);
    expect(
      opened.filter((url) => !isConfirmed(url)),
      name,
    ).toEqual([]);
    expect(questions.length, name).toBe(opened.length);
    await answerWith(0);
  }
  expect(app.pages()).toHaveLength(1);
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
});

for (const name of Object.keys(sinks))
  test(`a web address is opened by ${name} as it was shown, and only after confirmation`, async () => {
    for (const [written, canonical] of webAddresses) {
      await answerWith(null);
      await sinks[name]?.(written);
      await expect.poll(async () => (await app.shellRecord()).questions.map(({ detail }) => detail)).toEqual([canonical]);
      await settled();
      expect((await app.shellRecord()).opened).toEqual([]);
      await answerWith(0);
      await sinks[name]?.(written);
      await expect.poll(async () => (await app.shellRecord()).opened).toEqual([canonical]);
    }
  });

test('2,000 malformed calls of the page have no effect, and the app keeps running', async () => {
  await answerWith(0);
  const refused = await page.evaluate(async () => {
    const bridge = (window as unknown as { glasshouse: Record<string, (...sent: unknown[]) => Promise<unknown>> }).glasshouse;
    const malformed = [
      null,
      1,
      '',
      'x',
      [],
      {},
      { url: 1 },
      { url: null },
      { url: ['https://example.com'] },
      { url: 'https://example.com', more: 1 },
    ];
    let count = 0;
    for (let at = 0; at < 2000; at++) {
      const name = Object.keys(bridge)[at % 4] as string;
      const sent =
        name === 'openExternal'
          ? [malformed[at % malformed.length], at]
          : name === 'setTheme'
            ? [malformed[at % malformed.length]]
            : [malformed[at % malformed.length]];
      // The wrappers of calls without parameters drop the arguments, so those calls are well-formed.
      await bridge[name]?.(...sent).catch(() => count++);
    }
    return count;
  });
  expect(refused).toBeGreaterThanOrEqual(500);
  expect((await app.shellRecord()).opened).toEqual([]);
  expect((await app.shellRecord()).questions).toEqual([]);
  expect(await app.quit()).toBe(0);
});
