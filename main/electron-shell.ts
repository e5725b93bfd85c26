/** The shell of the controller, done by Electron: thin calls, nothing decided. */
import {
  app,
  BrowserWindow,
  clipboard,
  Menu,
  type MenuItemConstructorOptions,
  Notification,
  nativeImage,
  nativeTheme,
  shell,
  Tray,
} from 'electron';
import { autostartFile, setAutostart } from './desktop/autostart.ts';
import type { Item } from './desktop/menu.ts';
import type { WindowSet } from './desktop/open-desktop.ts';
import type { Shell } from './desktop/shell.ts';
import { trayTooltip } from './desktop/tray.ts';
import { trayImage } from './desktop/tray-image.ts';
import { chooseFile, chooseFolder } from './dialogs.ts';

const built = (items: Item[]) => Menu.buildFromTemplate(items satisfies MenuItemConstructorOptions[]);

export const drawMenu = (items: Item[]) => Menu.setApplicationMenu(built(items));

/** Black for the template images of macOS, which colours them itself. */
function trayIcon(isPaused: boolean) {
  const ink = process.platform !== 'darwin' && nativeTheme.shouldUseDarkColors ? ([255, 255, 255] as const) : ([0, 0, 0] as const);
  const icon = nativeImage.createFromBuffer(trayImage(isPaused, ink), { scaleFactor: 2 });
  if (process.platform === 'darwin') icon.setTemplateImage(true);
  return icon;
}

function openAtLogin(isWanted: boolean): void {
  if (!app.isPackaged) return;
  const binary = process.env['APPIMAGE'] ?? process.execPath;
  if (process.platform === 'linux') setAutostart(autostartFile(app.getPath('appData')), isWanted, [binary, '--hidden']);
  else app.setLoginItemSettings({ openAtLogin: isWanted, args: ['--hidden'] });
}

export function electronShell(windows: WindowSet): Shell {
  let tray: Tray | undefined;
  /** The system drops a notification, and its click, with the object. */
  const shown = new Set<Notification>();
  return {
    drawMenu,
    drawTray: (items, state) => {
      tray ??= new Tray(trayIcon(state.isPaused)).on('click', () => process.platform !== 'darwin' && windows.show());
      tray.setImage(trayIcon(state.isPaused));
      tray.setToolTip(trayTooltip(state));
      tray.setContextMenu(built(items));
    },
    sayInTray: (text) => tray?.setToolTip(text),
    badge: (count) => {
      app.setBadgeCount(count);
      if (process.platform === 'win32') for (const window of BrowserWindow.getAllWindows()) window.flashFrame(count > 0);
    },
    notify: ({ title, body }, clicked) => {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      shown.add(notification);
      notification.on('click', clicked);
      for (const over of ['click', 'close', 'failed'] as const) notification.on(over as 'close', () => shown.delete(notification));
      notification.show();
    },
    takeTheme: (theme) => {
      nativeTheme.themeSource = theme;
    },
    openAtLogin,
    zoom: (level) => windows.zoom(level),
    show: (route) => windows.show(route),
    openWindow: (route) => windows.open(route),
    reload: () => BrowserWindow.getFocusedWindow()?.webContents.reload(),
    copy: (text) => clipboard.writeText(text),
    revealData: () => void shell.openPath(app.getPath('userData')),
    chooseFile,
    chooseFolder,
    isLooking: () => BrowserWindow.getFocusedWindow() !== null,
    quit: () => app.quit(),
  };
}
