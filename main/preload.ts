/** The bridge, and all of it. Runs sandboxed in the page's process, so it holds no logic and bundles no schema. */
import { contextBridge, ipcRenderer } from 'electron';
import type { Desktop, DesktopChannel } from '../shared/desktop.ts';

const ask = (channel: DesktopChannel, ...asked: unknown[]) => ipcRenderer.invoke(channel, ...asked);

const desktop: Desktop = {
  appInfo: () => ask('app-info'),
  revealDataFolder: () => ask('reveal-data-folder'),
  setTheme: (theme) => ask('set-theme', theme),
  openExternal: (link) => ask('open-external', link),
};

contextBridge.exposeInMainWorld('glasshouse', desktop);
