/** Electron's implementation of the controller's shell: calls only, no decisions. */
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

const buildMenu = (items: Item[]) => Menu.buildFromTemplate(items satisfies MenuItemConstructorOptions[]);

export const drawMenu = (items: Item[]) => Menu.setApplicationMenu(buildMenu(items));

/** Black for the template images of macOS, which colours them itself. */
function trayIcon(isPaused: boolean) {
  const ink = process.platform !== 'darwin' && nativeTheme.shouldUseDarkColors ? ([255, 255, 255] as const) : ([0, 0, 0] as const);
  const icon = nativeImage.createFromBuffer(trayImage(isPaused, ink), { scaleFactor: 2 });
  if (process.platform === 'darwin') icon.setTemplateImage(true);
  return icon;
}

function setOpenAtLogin(isEnabled: boolean): void {
  if (!app.isPackaged) return;
  const binary = process.env['APPIMAGE'] ?? process.execPath;
  if (process.platform === 'linux') setAutostart(autostartFile(app.getPath('appData')), isEnabled, [binary, '--hidden']);
  else app.setLoginItemSettings({ openAtLogin: isEnabled, args: ['--hidden'] });
}

export function electronShell(windows: WindowSet): Shell {
  let tray: Tray | undefined;
  /** Referenced until they are closed: a collected object loses its notification and the click handler. */
  const active = new Set<Notification>();
  return {
    drawMenu,
    drawTray: (items, state) => {
      tray ??= new Tray(trayIcon(state.isPaused)).on('click', () => process.platform !== 'darwin' && windows.show());
      tray.setImage(trayIcon(state.isPaused));
      tray.setToolTip(trayTooltip(state));
      tray.setContextMenu(buildMenu(items));
    },
    setTrayTooltip: (text) => tray?.setToolTip(text),
    badge: (count) => {
      app.setBadgeCount(count);
      if (process.platform === 'win32') for (const window of BrowserWindow.getAllWindows()) window.flashFrame(count > 0);
    },
    notify: ({ title, body }, onClick) => {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      active.add(notification);
      notification.on('click', onClick);
      for (const event of ['click', 'close', 'failed'] as const) notification.on(event as 'close', () => active.delete(notification));
      notification.show();
    },
    applyTheme: (theme) => {
      nativeTheme.themeSource = theme;
    },
    setOpenAtLogin,
    zoom: (level) => windows.zoom(level),
    show: (route) => windows.show(route),
    openWindow: (route) => windows.open(route),
    reload: () => BrowserWindow.getFocusedWindow()?.webContents.reload(),
    copy: (text) => clipboard.writeText(text),
    revealData: () => void shell.openPath(app.getPath('userData')),
    chooseFile,
    chooseFolder,
    isFocused: () => BrowserWindow.getFocusedWindow() !== null,
    quit: () => app.quit(),
  };
}
