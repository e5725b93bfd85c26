import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { legalSegments } from '../legal-name.ts';

const filesMax = 20_000;
const depthMax = 32;

/**
 * The regular files under a folder whose names end so, as relative paths with `/`, in code-unit order. Links are not followed, folders that
 * are hidden or hold packages are passed over, and files that could not be asked for by their name are left out.
 */
export async function walkFiles(folder: string, suffix: string): Promise<string[]> {
  const found: string[] = [];
  const pending: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let next = pending.pop(); next && found.length < filesMax; next = pending.pop()) {
    const { path, depth } = next;
    const entries = await opendir(join(folder, path)).catch(() => null);
    if (!entries) continue;
    for await (const entry of entries) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && depth < depthMax && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        pending.push({ path: name, depth: depth + 1 });
      if (entry.isFile() && entry.name.endsWith(suffix) && entry.name.length > suffix.length && isLegal(name)) found.push(name);
    }
  }
  return found.sort();
}

function isLegal(name: string): boolean {
  try {
    legalSegments(name);
    return true;
  } catch {
    return false;
  }
}
