/** Tries every hostile address with every navigation gesture in Chromium: the desktop app must refuse each. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { externalUrl } from '../main/desktop/external-url.ts';
import { buildDesktop, type DesktopApp, desktopKind, launchDesktop, openDisplay } from './electron/desktop-app.ts';
import type { ShellRecord } from './electron/shell-recorder.ts';
import { hostileAddresses, webAddresses } from './hostile-addresses.ts';
import { test } from './journey.ts';

let home: string;
let display: Awaited<ReturnType<typeof openDisplay>>;
let app: DesktopApp;
let page: Page;
let own: string;

test.describe.configure({ mode: 'serial' });
// A trace would take a screenshot of each of a thousand steps.
test.use({ trace: 'off' });

test.beforeAll(async () => {
  buildDesktop();
  // Chromium would open some of these addresses with programs of this machine; it does not when headless.
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

const answerWith = (press: number) =>
  app.evaluate((_, given) => {
    const { shellRecord } = globalThis as unknown as { shellRecord: ShellRecord };
    Object.assign(shellRecord, { press: given, questions: [], opened: [] });
  }, press);

type Gesture = (addresses: readonly string[]) => Promise<unknown>;

/** Addresses for each wait: Chromium may open a window for each of them, and all of them together take longer than one wait may. */
const batchSize = 40;

/**
 * Runs a function in the page for one address after the other. The loop is sent as text, because the page's policy forbids eval; it is not
 * awaited, because Chromium drops pending evaluations when the page tries to navigate.
 */
const byScript =
  (does: (address: string) => void): Gesture =>
  async (addresses) => {
    for (let from = 0; from < addresses.length; from += batchSize) {
      await page.evaluate(`void (async () => {
        delete document.body.dataset.done;
        for (const address of ${JSON.stringify(addresses.slice(from, from + batchSize))}) {
          (${does})(address);
          await new Promise((next) => setTimeout(next));
        }
        document.body.dataset.done = 'yes';
      })()`);
      await expect.poll(() => page.evaluate(() => document.body.dataset['done'])).toBe('yes');
    }
  };

const gestures: Record<string, Gesture> = {
  'a link with a target': byScript((address) => {
    const link = Object.assign(document.createElement('a'), { href: address, target: '_blank' });
    document.body.append(link);
    link.click();
    link.remove();
  }),
  // Chromium handles this like a middle click: it opens a new tab.
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
      // Not a valid URL.
    }
  }),
  'a frame and a web view': byScript((address) => {
    for (const tag of ['iframe', 'webview']) {
      const frame = document.createElement(tag);
      frame.setAttribute('src', address);
      document.body.append(frame);
      setTimeout(() => frame.remove());
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
 * When the page itself navigates, the stand-in can only stop addresses that become a request; Chromium handles the others. For Electron,
 * main/boot.gateway.test.ts passes every address to the listener.
 */
const samePageGestures = new Set(desktopKind === 'stand-in' ? ['a click', 'the address of the page'] : []);
const isRequest = (address: string) => /^(https?|wss?):$/.test(URL.parse(address, own)?.protocol ?? '');

for (const [name, gesture] of Object.entries(gestures))
  test(`no hostile address is opened by ${name}, even when the user confirms all (${desktopKind})`, async () => {
    await answerWith(0);
    await gesture(samePageGestures.has(name) ? hostileAddresses.filter(isRequest) : hostileAddresses);
    const { opened, questions } = await app.shellRecord();
    // A page reads `\\\\attacker\\share` as http://attacker/share, which is a web address and is confirmed as one.
    const shown = questions.map(({ detail }) => detail);
    expect(opened.filter((url) => externalUrl(url)?.href !== url || !shown.includes(url))).toEqual([]);
    expect(opened.filter((url) => url !== 'http://attacker/share/run.exe')).toEqual([]);
    expect([app.pages().map((shownPage) => shownPage.url()), app.output()]).toEqual([[own], '']);
  });

for (const name of Object.keys(gestures).slice(0, 5))
  test(`a web address is opened by ${name} after confirmation and in its canonical form`, async () => {
    for (const [written, whole] of webAddresses) {
      // A request does not contain the part after #.
      const canonical = samePageGestures.has(name) ? whole.replace(/#.*/, '') : whole;
      await answerWith(0);
      await gestures[name]?.([written]);
      await expect.poll(async () => (await app.shellRecord()).opened).toEqual([canonical]);
      expect((await app.shellRecord()).questions.map(({ detail }) => detail)).toEqual([canonical]);
    }
    expect(app.pages().map((shownPage) => shownPage.url())).toEqual([own]);
  });
