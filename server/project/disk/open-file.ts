/**
 * Opens regular files only, never through a link, without blocking on pipes. Where folders cannot be held, the opened file is compared with
 * the path afterwards: an exchanged folder is detected before a byte is read or written.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ProjectError } from '../project-error.ts';
import { asProjectError, isAbsence } from './disk-error.ts';
import { canHold, type HeldFolder, hold, type Place } from './held-folder.ts';

/** Windows has neither, and needs neither: there a link needs rights, and pipes have names of their own. */
const guarded = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const readOnly = constants.O_RDONLY;
export const appending = constants.O_RDWR | constants.O_APPEND;
export const creating = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/**
 * @returns null when no regular file is there
 * @throws ProjectError
 */
export async function openFile({ root, parts }: Place, flags: number): Promise<FileHandle | null> {
  const folder = await hold({ root, parts: parts.slice(0, -1) });
  try {
    return folder && (await openIn(folder, parts.at(-1) ?? '', flags));
  } finally {
    await folder?.close();
  }
}

/** Like `openFile`, in a held folder. A created file has the rights of the user's mask. */
export async function openIn(folder: HeldFolder, name: string, flags: number): Promise<FileHandle | null> {
  const path = folder.at(name);
  try {
    if (flags !== creating && !(await lstat(path)).isFile()) return null;
    const file = await open(path, flags | guarded, 0o666);
    try {
      await check(file, join(folder.path, name));
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    if (isAbsence(error)) return null;
    throw asProjectError(error);
  }
}

async function check(file: FileHandle, path: string): Promise<void> {
  const opened = await file.stat({ bigint: true });
  if (!opened.isFile()) throw new ProjectError('unreadable', 'This is not a regular file');
  if (canHold) return;
  const seen = await lstat(path, { bigint: true });
  if (opened.ino !== seen.ino || opened.dev !== seen.dev || (await realpath(path)) !== path)
    throw new ProjectError('outside', 'The path changed while it was opened');
}
