/**
 * The windows of the stand-in as pages of a real Chromium, controlled by Playwright: the built preload runs as an init script, its calls go
 * through a binding to ipcMain, and requests, navigations and new windows of the page go through the same listeners as in Electron. Missing
 * is what only Electron has: its sandbox, isolated worlds, native menus.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { preventable } from './preventable.mjs';

const byPage = new Map();
let opening;

/** The first URL of a window; a page that starts with another URL was opened by a page. */
const ours = 'about:blank#window';
const isOurs = (page) => byPage.has(page) || page.url() === ours;

/** Starts one Chromium for the process, with its files where Electron would have them; a test connects to the same one. */
async function start(app) {
  const { chromium } = await import('@playwright/test');
  const context = await chromium.launchPersistentContext(join(app.getPath('sessionData'), 'chromium'), {
    executablePath: process.env.STAND_IN_CHROMIUM,
    headless: process.env.STAND_IN_HEADLESS === '1',
    viewport: null,
    // Popups are reported anyway (`listen`), and most are never created.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      '--block-new-web-contents',
      `--remote-debugging-port=${process.env.STAND_IN_PORT}`,
      '--test-type',
      '--no-first-run',
      '--ozone-platform=x11',
    ],
  });
  const [blank] = context.pages();
  const cdp = await context.newCDPSession(blank);
  await context.route('**/*', route);
  // Pages that the page opened: the handler of its window was called (`listen`) and always denies them.
  context.on('page', (page) => isOurs(page) || page.close().catch(() => {}));
  app.on('will-quit', () => void context.close());
  return { context, cdp };
}

function originOf(frame) {
  const { origin } = new URL(frame.url());
  return origin;
}

const senderOf = (frame) => ({ origin: originOf(frame), parent: frame.parentFrame() && senderOf(frame.parentFrame()) });

/** Null while the page is being created. */
function frameOf(request) {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

async function route(intercepted) {
  const request = intercepted.request();
  const url = request.url();
  const frame = frameOf(request);
  const windowPage = frame && byPage.get(frame.page());
  if (!windowPage) return intercepted.abort('aborted').catch(() => {});
  const isNavigation = request.isNavigationRequest() && frame.parentFrame() === null;
  if (isNavigation && !windowPage.isLoading) {
    const sent = preventable({ url });
    windowPage.contents.emit('will-navigate', sent);
    // After an abort the page stays; after a failure Chromium would show an error page.
    if (sent.defaultPrevented) return intercepted.abort('aborted').catch(() => {});
  }
  let cancel = false;
  windowPage.contents.session.beforeRequest?.({ url }, (answer) => {
    cancel = answer.cancel;
  });
  return (cancel ? intercepted.abort() : intercepted.continue()).catch(() => {});
}

const isRequested = (url) => /^(https?|wss?):/i.test(url);

/** Listens to Chromium's events for navigations: links with a target, middle clicks, addresses that are not a request. */
async function listen(cdp, { contents }) {
  await cdp.send('Page.enable');
  const { frameTree } = await cdp.send('Page.getFrameTree');
  cdp.on('Page.windowOpen', ({ url }) => void contents.windowOpen({ url }));
  cdp.on('Page.frameRequestedNavigation', ({ url, disposition, frameId }) => {
    if (disposition !== 'currentTab') void contents.windowOpen({ url });
    else if (frameId === frameTree.frame.id && !isRequested(url)) contents.emit('will-navigate', preventable({ url }));
  });
}

/** Runs in the page before its own code: enough of the electron module for a sandboxed preload. */
const bridge = (preload) => `(() => {
  const say = window.__standInOpen;
  window.open = (url) => { void say(new URL(url, location.href).href); return null; };
  const invoke = window.__standInInvoke;
  const electron = {
    contextBridge: { exposeInMainWorld: (name, api) => Object.defineProperty(window, name, { value: Object.freeze(api), enumerable: true }) },
    ipcRenderer: { invoke: async (channel, ...sent) => {
      const { value, error } = await invoke(channel, sent);
      if (error !== undefined) throw new Error("Error invoking remote method '" + channel + "': " + error);
      return value;
    } },
  };
  const load = (name) => { if (name !== 'electron') throw new Error('module not found: ' + name); return electron; };
  ((require, module, exports) => {
${preload}
  })(load, { exports: {} }, {});
})();`;

async function prepare(page, window, { ipcMain }) {
  const { webContents: contents, options } = window;
  await page.exposeBinding('__standInOpen', (_, url) => void contents.windowOpen({ url, disposition: 'foreground-tab' }));
  await page.exposeBinding('__standInInvoke', async ({ frame }, channel, sent) => {
    const handler = ipcMain.handlers.get(channel);
    try {
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return { value: await handler({ senderFrame: senderOf(frame) }, ...sent) };
    } catch (error) {
      return { error: String(error) };
    }
  });
  const { preload } = options.webPreferences;
  await page.addInitScript({ content: bridge(preload === undefined ? '' : readFileSync(preload, 'utf8')) });
}

/** The operations of a window on its page. */
class Page {
  isLoading = false;

  constructor(page, window) {
    this.page = page;
    this.contents = window.webContents;
    page.on('crash', () => this.contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 133 }));
    page.on('close', () => window.isDestroyed() || window.close());
    page.on('framenavigated', (frame) => {
      if (frame.parentFrame() === null) this.contents.url = frame.url();
    });
  }

  async load(url) {
    this.isLoading = true;
    await this.page.goto(url, { waitUntil: 'domcontentloaded' }).finally(() => {
      this.isLoading = false;
    });
  }
  reload = () => this.load(this.contents.url);
  focus = () => this.page.bringToFront().catch(() => {});
  zoom = (level) =>
    this.page.evaluate((by) => document.documentElement.style.setProperty('zoom', by), String(1.2 ** level)).catch(() => {});
  close = () => this.page.close().catch(() => {});
}

export async function openPage(window, electron) {
  opening ??= start(electron.app);
  const { context, cdp } = await opening;
  const opened = context.waitForEvent('page', isOurs);
  await cdp.send('Target.createTarget', { url: ours, newWindow: true });
  const page = await opened;
  const windowPage = new Page(page, window);
  byPage.set(page, windowPage);
  await prepare(page, window, electron);
  const pageCdp = await context.newCDPSession(page);
  await listen(pageCdp, windowPage);
  const { windowId } = await pageCdp.send('Browser.getWindowForTarget');
  const { x: left, y: top, width, height } = window.bounds;
  await pageCdp.send('Browser.setWindowBounds', { windowId, bounds: { left, top, width, height } });
  return windowPage;
}
