/**
 * The desktop app from the user's view: the built main process on the real Electron where it is installed, else on the stand-in
 * (e2e/electron/). The title of the first test says which.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { buildDesktop, type DesktopApp, desktopKind, launchAgain, launchDesktop, openDisplay } from './electron/desktop-app.ts';
import { test } from './journey.ts';

let home: string;
let display: Awaited<ReturnType<typeof openDisplay>>;
let app: DesktopApp;

test.describe.configure({ mode: 'serial' });

const options = (args: string[] = []) => ({ dataDir: join(home, 'data'), args, env: display.env });

test.beforeAll(async () => {
  buildDesktop();
  display = await openDisplay();
  home = mkdtempSync(join(tmpdir(), 'glasshouse-desktop-'));
  mkdirSync(join(home, 'data'));
  const bounds = { x: 120, y: 90, width: 900, height: 640 };
  const place = { arrangement: 'of another desk', kind: 'main', bounds, isMaximized: false };
  writeFileSync(join(home, 'data/windows.json'), JSON.stringify({ version: 1, places: [place] }));
  app = await launchDesktop(options());
});
test.afterAll(async () => {
  app?.process.kill('SIGKILL');
  display?.close();
  if (home) rmSync(home, { recursive: true, force: true });
});

const isMain = (page: Page) => !page.url().includes('window=');
async function mainPage(): Promise<Page> {
  await expect.poll(() => app.pages().filter(isMain).length).toBe(1);
  const [page] = app.pages().filter(isMain);
  return page as Page;
}
const origin = async () => new URL((await mainPage()).url()).origin;

interface Sent {
  traceId: string;
  name?: string;
  seconds?: number;
  failed?: boolean;
}

async function send(url: string, { traceId, name = 'sent', seconds = 1, failed = false }: Sent): Promise<number> {
  const endMs = Date.now();
  const span = {
    traceId,
    spanId: traceId.slice(0, 16),
    name,
    startTimeUnixNano: `${endMs - seconds * 1000}000000`,
    endTimeUnixNano: `${endMs}000000`,
    status: failed ? { code: 2, message: 'refused' } : {},
  };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const answer = await fetch(`${url}/v1/traces`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return answer.status;
}

const blurWindows = () =>
  app.evaluate(({ BrowserWindow }) => {
    if (BrowserWindow.blur) BrowserWindow.blur();
    else for (const window of BrowserWindow.getAllWindows()) window.blur();
  });
const id = (digit: string) => digit.repeat(32);

test(`the window opens at its last position and shows the viewer (${desktopKind})`, async () => {
  const page = await mainPage();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  const found = await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0].getNormalBounds());
  expect(found).toEqual({ x: 120, y: 90, width: 900, height: 640 });
});

test('the page has the bridge and nothing else', async () => {
  const page = await mainPage();
  expect(await page.evaluate(() => Object.keys((window as unknown as { glasshouse: object }).glasshouse).sort())).toEqual(
    ['appInfo', 'openExternal', 'revealDataFolder', 'setTheme'].sort(),
  );
  const info = await page.evaluate(() => (window as unknown as { glasshouse: { appInfo(): unknown } }).glasshouse.appInfo());
  expect(info).toMatchObject({ platform: process.platform, gateway_url: await origin() });
  expect(await page.evaluate(() => [typeof globalThis.process, typeof (globalThis as { require?: unknown }).require])).toEqual([
    'undefined',
    'undefined',
  ]);
});

test('the menu has its commands, and they work', async () => {
  const ids = await app.evaluate(({ Menu }) =>
    Menu.getApplicationMenu().items.flatMap(({ submenu }: { submenu: { items: { id?: string; accelerator?: string }[] } }) =>
      submenu.items.flatMap((item) => (item.id && !/^\d+$/.test(item.id) ? [`${item.id} ${item.accelerator ?? ''}`.trim()] : [])),
    ),
  );
  expect(ids).toEqual(expect.arrayContaining(['open-file CommandOrControl+O', 'open-project CommandOrControl+Shift+O', 'reveal-data']));
  expect(ids).toEqual(expect.arrayContaining(['pause', 'otlp-ports', 'set-up-line', 'settings', 'zoom-in CommandOrControl+Plus']));
  await press('go', 'go-sessions');
  const page = await mainPage();
  await expect(page).toHaveURL(/#\/sessions/);
  await press('go', 'go-traces');
  await expect(page).toHaveURL(/#\/traces/);
});

const press = (menu: string, item: string) =>
  app.evaluate(
    ({ Menu }, given) => {
      const [menuId, itemId] = given as [string, string];
      const submenu = Menu.getApplicationMenu().items.find(({ id }: { id: string }) => id === menuId);
      submenu.submenu.items.find(({ id }: { id: string }) => id === itemId).click();
    },
    [menu, item],
  );

test('a new trace appears on the screen and in the tray', async () => {
  const page = await mainPage();
  expect(await send(await origin(), { traceId: id('a'), name: 'arrived-in-the-window' })).toBe(200);
  await expect(page.getByText('arrived-in-the-window').first()).toBeVisible();
  await expect.poll(async () => (await app.shellRecord()).tooltip).toContain('1 trace, 1 span');
  expect((await app.shellRecord()).tray.map(({ label }) => label)).toContain('Pause receiving');
});

test('a failed trace and a long run cause notifications while the window is in the background; a click shows the trace', async () => {
  await blurWindows();
  await send(await origin(), { traceId: id('b'), name: 'refund-agent', failed: true });
  await send(await origin(), { traceId: id('c'), name: 'nightly-run', seconds: 90 });
  await send(await origin(), { traceId: id('d'), name: 'short and fine' });
  await expect
    .poll(async () => (await app.shellRecord()).notifications.map(({ title }) => title).sort())
    .toEqual(['Failed: refund-agent', 'Finished: nightly-run']);
  await app.evaluate(() => (globalThis as unknown as { lastNotice: { emit(event: string): void } }).lastNotice.emit('click'));
  await expect(await mainPage()).toHaveURL(/#\/traces\/[bc]{32}/);
});

test('pausing in the tray refuses spans, and the viewer says so', async () => {
  const page = await mainPage();
  const pause = () =>
    app.evaluate(() => {
      const { trayMenu } = globalThis as unknown as { trayMenu: { items: { id?: string; label: string; click(): void }[] } };
      trayMenu.items.find(({ label }) => label === 'Pause receiving')?.click();
    });
  await pause();
  expect(await send(await origin(), { traceId: id('e') })).toBe(503);
  await expect(page.getByText('Receiving is paused')).toBeVisible();
  await pause();
  expect(await send(await origin(), { traceId: id('e') })).toBe(200);
  await expect(page.getByText('Receiving is paused')).toBeHidden();
});

test('the key o opens a trace in a window of its own, with the same restrictions', async () => {
  const page = await mainPage();
  await page.goto(`${await origin()}/#/traces/${id('a')}`);
  await expect(page.getByText('arrived-in-the-window').first()).toBeVisible();
  await page.keyboard.press('o');
  await expect.poll(() => app.pages().filter((shownPage) => !isMain(shownPage)).length).toBe(1);
  const own = app.pages().find((shownPage) => !isMain(shownPage)) as Page;
  await expect(own.getByText('arrived-in-the-window').first()).toBeVisible();
  expect(await own.evaluate(() => typeof (window as unknown as { glasshouse?: unknown }).glasshouse)).toBe('object');
  await own.close();
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('a second launch passes the link or the file to the first, and exits', async () => {
  const page = await mainPage();
  expect(await launchAgain(options([`glasshouse://trace/${id('b')}`]))).toBe(0);
  await expect(page).toHaveURL(new RegExp(`#/traces/${id('b')}`));
  const file = join(home, 'kept.json');
  const span = {
    traceId: id('f'),
    spanId: 'f'.repeat(16),
    name: 'from-a-file',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
  };
  writeFileSync(file, JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  expect(await launchAgain(options([file]))).toBe(0);
  await expect(page).toHaveURL(new RegExp(`#/traces/${id('f')}`));
  await expect(page.getByText('from-a-file').first()).toBeVisible();
  for (const link of ['glasshouse://trace/../../etc/passwd', 'glasshouse://trace/a?--data=/x', 'glasshouse://settings/x']) {
    expect(await launchAgain(options([link]))).toBe(0);
    await expect(page).toHaveURL(new RegExp(`#/traces/${id('f')}`));
  }
});

test('a file dropped on the page is opened, and for an invalid file the page says why', async () => {
  const page = await mainPage();
  const drop = (name: string, text: string) =>
    page.evaluate(
      ({ name: called, text: written }) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([written], called));
        for (const type of ['dragover', 'drop'])
          window.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      },
      { name, text },
    );
  await drop('bad.json', 'not a trace');
  await expect(page.getByRole('alert').getByText('bad.json was not opened')).toBeVisible();
  const span = {
    traceId: id('8'),
    spanId: '8'.repeat(16),
    name: 'was-dropped',
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000001000000000',
  };
  await drop('good.json', JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));
  await expect(page).toHaveURL(new RegExp(`#/traces/${id('8')}`));
  await expect(page.getByText('was-dropped').first()).toBeVisible();
});

test('the theme of the viewer is applied to the window and saved', async () => {
  const page = await mainPage();
  await page.goto(`${await origin()}/#/traces`);
  await page.getByRole('button', { name: /^Theme: system/ }).click();
  await expect.poll(() => app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('light');
  const saved = JSON.parse(readFileSync(join(home, 'data/desktop.json'), 'utf8')) as { theme: string };
  expect(saved.theme).toBe('light');
});

test('after a page has crashed the app offers to reload it', async () => {
  await app.evaluate(({ BrowserWindow }) => {
    (globalThis as unknown as { shellRecord: { press: number | null } }).shellRecord.press = 0;
    const [{ webContents }] = BrowserWindow.getAllWindows();
    webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
  });
  await expect.poll(async () => (await app.shellRecord()).questions.map(({ message }) => message)).toContain('This window stopped working');
  await expect((await mainPage()).getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await app.evaluate(() => {
    (globalThis as unknown as { shellRecord: { press: number | null } }).shellRecord.press = null;
  });
});

test('quitting loses no acknowledged trace', async () => {
  const url = await origin();
  const ids = Array.from({ length: 60 }, (_, at) => at.toString(16).padStart(32, '9'));
  const sent = ids.map((traceId) => send(url, { traceId }).catch(() => 0));
  await Promise.race(sent);
  const code = app.quit();
  const statuses = await Promise.all(sent);
  expect(await code).toBe(0);
  expect(app.output()).toBe('');
  const acknowledged = ids.filter((_, at) => statuses[at] === 200);
  expect(acknowledged.length).toBeGreaterThan(0);
  app = await launchDesktop(options());
  const again = await origin();
  const answers = await Promise.all(acknowledged.map((traceId) => fetch(`${again}/v1/traces/${traceId}`)));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  const places = JSON.parse(readFileSync(join(home, 'data/windows.json'), 'utf8')) as { places: unknown[] };
  expect(places.places.length).toBeGreaterThan(1);
  expect(await app.quit()).toBe(0);
});
