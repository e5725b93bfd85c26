import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

const blockBytes = 512;

/** Bytes that a folder takes on the disk, links not followed. Stops counting once it is over `enough`. */
export async function diskUse(folder: string, enough: number): Promise<number> {
  const folders = [folder];
  let blocks = 0;
  for (let next = folders.pop(); next !== undefined && blocks * blockBytes <= enough; next = folders.pop()) {
    // Files removed meanwhile take no space.
    const entries = await opendir(next).catch(() => null);
    if (!entries) continue;
    for await (const entry of entries) {
      const path = join(next, entry.name);
      blocks += (await lstat(path).catch(() => null))?.blocks ?? 0;
      if (entry.isDirectory()) folders.push(path);
    }
  }
  return blocks * blockBytes;
}
