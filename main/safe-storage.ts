/** Electron's safe storage, for secrets. */
import { safeStorage } from 'electron';
import type { Cipher } from './desktop/sealed-secrets.ts';

export const electronCipher: Cipher = {
  // Linux without a keyring gets a password that is the same on every machine: that hides nothing.
  isSafe: async () =>
    (await safeStorage.isAsyncEncryptionAvailable()) &&
    (process.platform !== 'linux' || !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())),
  seal: (text) => safeStorage.encryptStringAsync(text),
  open: async (sealed) => (await safeStorage.decryptStringAsync(sealed)).result,
};
