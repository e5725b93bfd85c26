/** How many files and connections this process may have open at once. Node raises its soft limit to the hard one when it starts. */
import { readFileSync } from 'node:fs';

/** Minimum of macOS and Windows, which do not report the limit. */
const unsaid = 8192;

export function openFilesMax(): number {
  try {
    const said = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return said === undefined ? unsaid : Number(said);
  } catch {
    return unsaid;
  }
}
