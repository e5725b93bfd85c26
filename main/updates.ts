/** electron-updater without automatic actions. main/desktop/updates.ts decides. */
import type { Updater } from './desktop/updates.ts';

/** Loaded on demand, because only a packaged app has an update address. */
async function autoUpdater() {
  const { default: updaterModule } = await import('electron-updater');
  const { autoUpdater: updater } = updaterModule;
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  updater.allowDowngrade = false;
  updater.logger = null;
  return updater;
}

export const electronUpdater: Updater = {
  find: async () => {
    const found = await (await autoUpdater()).checkForUpdates();
    return found?.isUpdateAvailable ? found.updateInfo.version : null;
  },
  fetch: async () => void (await (await autoUpdater()).downloadUpdate()),
};
