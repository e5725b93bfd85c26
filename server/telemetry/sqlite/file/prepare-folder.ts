/** Creates a data folder, or explains in one sentence why it cannot. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartRefusal } from '../../../platform/start-refusal.ts';

/** @throws StartRefusal. @param lockFile is not opened: see folder-lock.ts */
export function prepareFolder(folder: string, lockFile: string, option: string): void {
  const another = `choose another folder with ${option}`;
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new StartRefusal(`${folder} is a file and cannot be the data folder: ${another}.`);
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (existsSync(lockFile)) accessSync(lockFile, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new StartRefusal(
      `The data folder ${folder} cannot be used (${message}): ${remedies[code] ?? 'look at its disk'}, or ${another}.`,
    );
  }
}

const rights = 'give this user the right to write there';
const remedies: Record<string, string> = {
  EACCES: rights,
  EPERM: rights,
  EROFS: 'make it writable',
  ENOSPC: 'make room on its disk',
  EDQUOT: 'make room on its disk',
  ENOTDIR: 'move the file away that stands where a folder is needed',
};

/** With its parents. Node's option `recursive` never returns in virtual file systems such as /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
