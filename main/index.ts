/**
 * The desktop app: one instance for each data folder, the gateway in this process, one window on it. Assembles and decides
 * nothing: what can be decided without Electron is beside this file and tested there.
 */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { app, type BrowserWindow, clipboard, dialog, shell } from 'electron';
import { startLocalGateway } from '../server/entry/local.ts';
import type { Ask } from './ask.ts';
import { commandLine } from './command-line.ts';
import { openExternal } from './external-links.ts';
import { type Gateway, type Opening, openGateway, setUpLine } from './gateway.ts';
import { answerWindow } from './ipc.ts';
import { bringForward, openWindow } from './window.ts';

const drainMsMax = 10_000;
/** Not 1, which is Chromium's own: main/start.ts tells a window that cannot be from a gateway that cannot be. */
const exitCodeFailed = 2;

const quitting = new AbortController();
let window: BrowserWindow | undefined;
let show: (() => void) | undefined;

const ask: Ask = async ({ buttons, ...question }) => {
  const last = buttons.length - 1;
  const box = { ...question, buttons, defaultId: last, cancelId: last, noLink: true, signal: quitting.signal };
  // Without a parent the box stops this process on a Mac, and the gateway with it.
  const shown = window ? dialog.showMessageBox(window, box) : dialog.showMessageBox(box);
  return (await shown).response;
};

const follow = (url: string) => openExternal(url, ask);

function fail(error: unknown): void {
  dialog.showErrorBox('Glasshouse could not start', error instanceof Error ? error.message : String(error));
  app.exit(exitCodeFailed);
}

function serveWindow(gateway: Gateway, page: string): void {
  answerWindow(new URL(page).origin, {
    'app-info': () => ({ version: app.getVersion(), platform: process.platform, gateway_url: gateway.url }),
    'reveal-data-folder': async () => ({ opened: (await shell.openPath(app.getPath('userData'))) === '' }),
    'open-external': async ({ url }) => ({ opened: await follow(url) }),
  });
}

function present(opening: Exclude<Opening, { kind: 'quit' }>): void {
  const isOurs = opening.kind === 'ours';
  const port = isOurs ? opening.gateway.port : opening.port;
  // electron-vite names its development server, which hands /v1 on to the gateway.
  const development = isOurs && !app.isPackaged ? process.env['ELECTRON_RENDERER_URL'] : undefined;
  const page = development ?? `http://127.0.0.1:${port}/`;
  const preload = join(import.meta.dirname, '../preload/preload.cjs');
  if (isOurs) serveWindow(opening.gateway, page);
  show = () => {
    if (window) return bringForward(window);
    window = openWindow({ page, isPackaged: app.isPackaged, follow: (url) => void follow(url), ...(isOurs ? { preload } : {}) });
    window.once('closed', () => {
      window = undefined;
    });
  };
  show();
}

async function tellMoved(port: number): Promise<void> {
  const line = setUpLine(port);
  const detail = `Point your apps at it:\n\n${line}`;
  const answer = await ask({ type: 'info', message: `Glasshouse listens on port ${port}`, detail, buttons: ['Copy', 'Continue'] });
  if (answer === 0) clipboard.writeText(line);
}

async function open(port: number, project: string | undefined): Promise<Opening> {
  await app.whenReady();
  const dataDir = app.getPath('userData');
  const worker = new URL('./worker.js', import.meta.url);
  // An app that was started from its icon has `/` for its working directory, which is nobody's project.
  const projectDir = resolve(project ?? (app.isPackaged ? dataDir : '.'));
  const opening = await openGateway(startLocalGateway, { port, dataDir, projectDir, worker }, ask);
  if (quitting.signal.aborted) return opening;
  if (opening.kind === 'quit') app.quit();
  else present(opening);
  if (opening.kind === 'ours' && opening.isMoved) void tellMoved(opening.gateway.port);
  return opening;
}

/** Quitting waits until what was acknowledged is down and in-flight requests are answered. */
function drainBeforeQuit(opening: Promise<Opening>): void {
  let isDrained = false;
  const drain = async () => {
    const opened = await opening;
    if (opened.kind === 'ours') await Promise.race([opened.gateway.stop(), after(drainMsMax)]);
  };
  app.on('before-quit', (event) => {
    if (isDrained) return;
    event.preventDefault();
    if (quitting.signal.aborted) return;
    quitting.abort();
    window?.hide();
    void drain()
      .catch((error: unknown) => console.error('The gateway did not stop cleanly:', error))
      .finally(() => {
        isDrained = true;
        app.quit();
      });
  });
}

function run(): void {
  // Traces are their owner's only, also on a machine with other users (reliability L11).
  process.umask(0o077);
  const { port, data, project } = commandLine(process.argv.slice(1));
  const dataDir = resolve(data ?? process.env['GLASSHOUSE_DATA'] ?? join(app.getPath('appData'), 'Glasshouse'));
  // Chromium's own files do not belong among the user's traces.
  const sessionDir = join(dataDir, 'window');
  mkdirSync(sessionDir, { recursive: true });
  app.setPath('userData', dataDir);
  app.setPath('sessionData', sessionDir);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.enableSandbox();
  app.on('second-instance', () => show?.());
  app.on('activate', () => show?.());
  app.on('window-all-closed', () => process.platform !== 'darwin' && app.quit());
  const opening = open(port, project);
  opening.catch(fail);
  drainBeforeQuit(opening);
}

try {
  run();
} catch (error) {
  fail(error);
}
