/** The whole bridge. It runs sandboxed in the page's process, so it holds no logic and bundles no schema. */
import { contextBridge, ipcRenderer } from 'electron';
import type { Desktop, DesktopChannel } from '../shared/desktop.ts';

const call = (channel: DesktopChannel, ...args: unknown[]) => ipcRenderer.invoke(channel, ...args);

const desktop: Desktop = {
  appInfo: () => call('app-info'),
  revealDataFolder: () => call('reveal-data-folder'),
  setTheme: (theme) => call('set-theme', theme),
  openExternal: (link) => call('open-external', link),
};

contextBridge.exposeInMainWorld('glasshouse', desktop);
