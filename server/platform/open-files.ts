/** How many files and connections this process may have open at once. Node raises its soft limit to the hard one when it starts. */
import { readFileSync } from 'node:fs';

/** For macOS and Windows, which do not report the limit: the smallest they have. */
const unreportedLimit = 8192;

export function openFilesMax(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined ? unreportedLimit : Number(limit);
  } catch {
    return unreportedLimit;
  }
}
