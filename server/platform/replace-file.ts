import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Mode of files that only their owner may read. */
export const ownerOnly = 0o600;

/**
 * Replaces a file atomically: a power cut leaves the old file or the new one, never a part of either. Only its owner can read it.
 * @throws what the file system throws
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  await writeNewFile(temporary, text);
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Writes a file that does not exist yet, durably. Only its owner can read it. */
export async function writeNewFile(path: string, text: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', ownerOnly);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename durable. Windows cannot open folders. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, constants.O_RDONLY);
  await folder.sync().finally(() => folder.close());
}
