/** Electron's implementation of the desktop host. */
import { join } from 'node:path';
import { app, clipboard, nativeTheme, safeStorage, shell } from 'electron';
import { startLocalGateway } from '../server/entry/local.ts';
import type { Ask } from './desktop/ask.ts';
import { type CommandPlaces, commandFolders, renewCommand } from './desktop/command-in-path.ts';
import { opener } from './desktop/external-url.ts';
import { helpMenu } from './desktop/help-menu.ts';
import type { LogFile } from './desktop/log-file.ts';
import type { Item } from './desktop/menu.ts';
import { commandItem } from './desktop/offer-command.ts';
import type { DesktopHost } from './desktop/open-desktop.ts';
import type { Cipher } from './desktop/sealed-secrets.ts';
import { Updates } from './desktop/updates.ts';
import { asking } from './dialogs.ts';
import { drawMenu, electronShell } from './electron-shell.ts';
import { answerWindow } from './ipc.ts';
import { electronUpdater } from './updates.ts';
import { Windows } from './windows.ts';

const copy = (text: string) => clipboard.writeText(text);
const preload = join(import.meta.dirname, '../preload/preload.cjs');

/** @param log null when there is none */
export function electronHost(quitting: AbortSignal, log: LogFile | null): DesktopHost {
  const ask = asking(quitting);
  const follow = (url: string) => void openExternal(url, ask);
  return {
    start: (options) => startLocalGateway({ ...options, program: 'the desktop app' }),
    worker: new URL('./thread.js', import.meta.url),
    ready: app.whenReady(),
    quitting,
    ask,
    cipher: electronCipher,
    platform: process.platform,
    isPackaged: app.isPackaged,
    development: app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL'],
    extra: [...commandItems(ask), ...(app.isPackaged ? updateItems(ask) : [])],
    help: helpMenu({ app, log, ask, copy, openPath: (path) => void shell.openPath(path), openExternal: follow }),
    windowsOn: ({ isOwn, ...needs }) => new Windows({ ...needs, ask, follow, ...(isOwn ? { preload } : {}) }),
    shellOf: electronShell,
    drawMenu,
    applyTheme: (theme) => {
      nativeTheme.themeSource = theme;
    },
    copy,
    serve: (page, gateway, controller) =>
      answerWindow(new URL(page).origin, {
        'app-info': () => ({ version: app.getVersion(), platform: process.platform, gateway_url: gateway.url }),
        'reveal-data-folder': async () => ({ opened: (await shell.openPath(app.getPath('userData'))) === '' }),
        'set-theme': (theme) => {
          controller.set({ theme });
          return { theme };
        },
        'open-external': async ({ url }) => ({ opened: await openExternal(url, ask) }),
      }),
  };
}

function commandPlaces(): CommandPlaces {
  const { platform, env, execPath, resourcesPath } = process;
  const home = join(app.getPath('userData'), 'command');
  const folders = commandFolders(platform, app.getPath('home'), home);
  return { platform, version: app.getVersion(), app: env['APPIMAGE'] ?? execPath, source: join(resourcesPath, 'command'), home, folders };
}

function commandItems(ask: Ask): Item[] {
  const places = app.isPackaged ? commandPlaces() : undefined;
  const renewed = app.whenReady().then(() => places && renewCommand(places));
  renewed.catch((error: unknown) => console.error('The glasshouse command could not be renewed:', error));
  return [commandItem({ ask, copy, path: process.env['PATH'], places })];
}

const hourMs = 3600 * 1000;

function updateItems(ask: Ask): Item[] {
  const file = join(app.getPath('userData'), 'updates.json');
  const updates = new Updates({ updater: electronUpdater, ask, file, version: app.getVersion(), quit: () => app.quit() });
  setInterval(() => void updates.checkWhenDue(), hourMs);
  void app.whenReady().then(() => updates.checkWhenDue());
  return [{ id: 'check-for-updates', label: 'Check for updates…', click: () => void updates.check() }];
}

/** The only call of shell.openExternal. Every address passes its check and its question. */
const openExternal = opener((href) => shell.openExternal(href));

/** Electron's safe storage, for secrets. */
const electronCipher: Cipher = {
  // Linux without a keyring gets a password that is the same on every machine: that hides nothing.
  isSafe: async () =>
    (await safeStorage.isAsyncEncryptionAvailable()) &&
    (process.platform !== 'linux' || !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())),
  seal: (text) => safeStorage.encryptStringAsync(text),
  open: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
};
