/** Every hostile address by every gesture that a page of Chromium offers: Chromium says where each leads, and the desktop says no. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { externalUrl } from '../main/desktop/external-url.ts';
import { buildDesktop, type DesktopApp, desktopKind, launchDesktop, openDisplay } from './electron/desktop-app.ts';
import type { Seen } from './electron/shell-recorder.ts';
import { hostileAddresses, webAddresses } from './hostile-addresses.ts';

let home: string;
let display: Awaited<ReturnType<typeof openDisplay>>;
let app: DesktopApp;
let page: Page;
let own: string;

test.describe.configure({ mode: 'serial' });
// A thousand steps would each be photographed.
test.use({ trace: 'off' });

test.beforeAll(async () => {
  buildDesktop();
  // Chromium by itself hands some of these to programs of this machine; without a screen it does not.
  display = desktopKind === 'electron' ? await openDisplay() : { env: { STAND_IN_HEADLESS: '1' }, close: () => {} };
  home = mkdtempSync(join(tmpdir(), 'glasshouse-gestures-'));
  mkdirSync(join(home, 'data'));
  app = await launchDesktop({ dataDir: join(home, 'data'), env: display.env });
  await expect.poll(() => app.pages().length).toBe(1);
  page = app.pages()[0] as Page;
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  own = page.url();
});
test.afterAll(async () => {
  app?.process.kill('SIGKILL');
  display?.close();
  if (home) rmSync(home, { recursive: true, force: true });
});

const pressed = (press: number) =>
  app.evaluate((_, given) => {
    const { seen } = globalThis as unknown as { seen: Seen };
    Object.assign(seen, { press: given, asked: [], opened: [] });
  }, press);

type Gesture = (addresses: readonly string[]) => Promise<unknown>;

/**
 * Runs in the page, for one address after the other. Sent as text, because the page lets nobody make a function of a text; not
 * waited for, because Chromium forgets who waits when the page asks to go elsewhere.
 */
const byScript =
  (does: (address: string) => void): Gesture =>
  async (addresses) => {
    await page.evaluate(`void (async () => {
      delete document.body.dataset.done;
      for (const address of ${JSON.stringify(addresses)}) {
        (${does})(address);
        await new Promise((next) => setTimeout(next));
      }
      document.body.dataset.done = 'yes';
    })()`);
    await expect.poll(() => page.evaluate(() => document.body.dataset['done'])).toBe('yes');
  };

const gestures: Record<string, Gesture> = {
  'a link with a target': byScript((address) => {
    const link = Object.assign(document.createElement('a'), { href: address, target: '_blank' });
    document.body.append(link);
    link.click();
    link.remove();
  }),
  // Chromium takes this and a middle click the same way: to a new tab.
  'a click with Ctrl or Cmd': byScript((address) => {
    const link = Object.assign(document.createElement('a'), { href: address });
    document.body.append(link);
    const isMac = navigator.platform.startsWith('Mac');
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: !isMac, metaKey: isMac }));
    link.remove();
  }),
  'a click with Shift': byScript((address) => {
    const link = Object.assign(document.createElement('a'), { href: address });
    document.body.append(link);
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: true }));
    link.remove();
  }),
  'a click': byScript((address) => {
    const link = Object.assign(document.createElement('a'), { href: address });
    document.body.append(link);
    link.click();
    link.remove();
  }),
  'the address of the page': byScript((address) => {
    try {
      location.assign(address);
    } catch {
      // No address at all.
    }
  }),
  'a frame and a web view': byScript((address) => {
    for (const tag of ['iframe', 'webview']) {
      const made = document.createElement(tag);
      made.setAttribute('src', address);
      document.body.append(made);
      setTimeout(() => made.remove());
    }
  }),
  'what is dropped on the page': byScript((address) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([address], address));
    dataTransfer.setData('text/uri-list', address);
    const dropped = { dataTransfer, bubbles: true, cancelable: true };
    for (const type of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, dropped));
  }),
};

/**
 * Where the page itself is to go, the stand-in can hold what becomes a request. Chromium sees to the rest by itself; of Electron the
 * listener is asked that main/boot.gateway.test.ts hands every address.
 */
const stayers = new Set(desktopKind === 'stand-in' ? ['a click', 'the address of the page'] : []);
const isRequest = (address: string) => /^(https?|wss?):$/.test(URL.parse(address, own)?.protocol ?? '');

for (const [name, gesture] of Object.entries(gestures))
  test(`no hostile address leaves by ${name}, though the user says yes to all (${desktopKind})`, async () => {
    await pressed(0);
    await gesture(stayers.has(name) ? hostileAddresses.filter(isRequest) : hostileAddresses);
    const { opened, asked } = await app.seen();
    // A page reads `\\\\attacker\\share` as http://attacker/share: of the web then, and confirmed as such.
    const shown = asked.map(({ detail }) => detail);
    expect(opened.filter((url) => externalUrl(url)?.href !== url || !shown.includes(url))).toEqual([]);
    expect(opened.filter((url) => url !== 'http://attacker/share/run.exe')).toEqual([]);
    expect([app.pages().map((one) => one.url()), app.printed()]).toEqual([[own], '']);
  });

for (const name of Object.keys(gestures).slice(0, 5))
  test(`an address of the web leaves by ${name}, confirmed and in its canonical form`, async () => {
    for (const [written, whole] of webAddresses) {
      // No request holds what stands behind #.
      const canonical = stayers.has(name) ? whole.replace(/#.*/, '') : whole;
      await pressed(0);
      await gestures[name]?.([written]);
      await expect.poll(async () => (await app.seen()).opened).toEqual([canonical]);
      expect((await app.seen()).asked.map(({ detail }) => detail)).toEqual([canonical]);
    }
    expect(app.pages().map((one) => one.url())).toEqual([own]);
  });
