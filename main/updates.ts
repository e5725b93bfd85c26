/** electron-updater without automatic actions. main/desktop/updates.ts decides. */
import type { Updater } from './desktop/updates.ts';

/** Only a packaged app has an address to ask, so the package is loaded when it is. */
async function autoUpdater() {
  const { default: updater } = await import('electron-updater');
  const { autoUpdater: one } = updater;
  one.autoDownload = false;
  one.autoInstallOnAppQuit = true;
  one.allowDowngrade = false;
  one.logger = null;
  return one;
}

export const electronUpdater: Updater = {
  find: async () => {
    const found = await (await autoUpdater()).checkForUpdates();
    return found?.isUpdateAvailable ? found.updateInfo.version : null;
  },
  fetch: async () => void (await (await autoUpdater()).downloadUpdate()),
};
