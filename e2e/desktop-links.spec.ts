/** Every hostile address through every way out of a window: only one of the web leaves, and only after the user said yes. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { buildDesktop, type DesktopApp, desktopKind, launchDesktop, openDisplay } from './electron/desktop-app.ts';
import type { Seen } from './electron/shell-recorder.ts';
import { hostileAddresses, webAddresses } from './hostile-addresses.ts';

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

const answer = (press: number | null) =>
  app.evaluate((_, given) => {
    const { seen } = globalThis as unknown as { seen: Seen };
    Object.assign(seen, { press: given, asked: [], opened: [] });
  }, press);

type Bridge = { glasshouse: { openExternal(link: { url: unknown }): Promise<unknown> } };

/** The ways a page has, and the one a navigation takes in the main process. A page that throws has not got out. */
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
        // No address at all.
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

/** The question, if there is one, is asked and answered within a turn of the main process. */
const settled = () => app.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve, 0)));

test(`${hostileAddresses.length} hostile addresses leave by no way, whatever the user presses (${desktopKind})`, async () => {
  expect(hostileAddresses.length).toBeGreaterThanOrEqual(260);
  await answer(0);
  for (const [name, sink] of Object.entries(sinks)) {
    for (const address of hostileAddresses) await sink(address);
    await settled();
    const { opened, asked } = await app.seen();
    const shown = asked.map(({ detail }) => detail);
    // A browser reads `\\\\attacker\\share` on a page as http://attacker/share: of the web then, and confirmed as such.
    const isConfirmed = (url: string) => name === 'window.open' && /^https?:\/\/[^@]*$/.test(url) && shown.includes(url);
    expect(
      opened.filter((url) => !isConfirmed(url)),
      name,
    ).toEqual([]);
    expect(asked.length, name).toBe(opened.length);
    await answer(0);
  }
  expect(app.pages()).toHaveLength(1);
  expect(new URL(page.url()).hostname).toBe('127.0.0.1');
});

for (const name of Object.keys(sinks))
  test(`an address of the web leaves by ${name} as it was shown, and only after a yes`, async () => {
    for (const [written, canonical] of webAddresses) {
      await answer(null);
      await sinks[name]?.(written);
      await expect.poll(async () => (await app.seen()).asked.map(({ detail }) => detail)).toEqual([canonical]);
      await settled();
      expect((await app.seen()).opened).toEqual([]);
      await answer(0);
      await sinks[name]?.(written);
      await expect.poll(async () => (await app.seen()).opened).toEqual([canonical]);
    }
  });

test('2,000 malformed calls of the page reach nobody, and the app goes on', async () => {
  await answer(0);
  const refused = await page.evaluate(async () => {
    const bridge = (window as unknown as { glasshouse: Record<string, (...sent: unknown[]) => Promise<unknown>> }).glasshouse;
    const odd = [
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
        name === 'openExternal' ? [odd[at % odd.length], at] : name === 'setTheme' ? [odd[at % odd.length]] : [odd[at % odd.length]];
      // The wrappers of calls without arguments drop them, as they should: what arrives is well-formed.
      await bridge[name]?.(...sent).catch(() => count++);
    }
    return count;
  });
  expect(refused).toBeGreaterThanOrEqual(500);
  expect((await app.seen()).opened).toEqual([]);
  expect((await app.seen()).asked).toEqual([]);
  expect(await app.quit()).toBe(0);
});
