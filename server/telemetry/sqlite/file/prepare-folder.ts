/** Creates a data folder, or explains in one sentence why it cannot. */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartRefusal } from '../../../platform/start-refusal.ts';

/** @throws StartRefusal. @param lockFile is not opened: see folder-lock.ts */
export function prepareFolder(folder: string, lockFile: string, option: string): void {
  const chooseAnother = `choose another folder with ${option}`;
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
      throw new StartRefusal(`${folder} is a file and cannot be the data folder: ${chooseAnother}.`);
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (existsSync(lockFile)) accessSync(lockFile, constants.R_OK | constants.W_OK);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new StartRefusal(
      `The data folder ${folder} cannot be used (${message}): ${remedies[code] ?? 'check its disk'}, or ${chooseAnother}.`,
    );
  }
}

const permissions = 'give this user permission to write there';
const remedies: Record<string, string> = {
  EACCES: permissions,
  EPERM: permissions,
  EROFS: 'make it writable',
  ENOSPC: 'make room on its disk',
  EDQUOT: 'make room on its disk',
  ENOTDIR: 'move away the file that is in the place of a folder',
};

/** With its parents. Node's option `recursive` never returns in virtual file systems such as /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
