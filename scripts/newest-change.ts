import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds of the latest change to any file that matches; 0 when none does. */
export function newestChange(root: string, patterns: string[]): number {
  let newest = 0;
  for (const file of globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    if (found?.isFile()) newest = Math.max(newest, found.mtimeMs);
  }
  return newest;
}
