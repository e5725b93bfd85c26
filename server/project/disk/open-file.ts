/**
 * Opens regular files only, never through a link in the last place, and never waits for a pipe. What was opened is compared with what the
 * path leads to afterwards: a folder that was exchanged for a link in between is noticed before a byte is read or written.
 */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { ProjectTrouble } from '../project-trouble.ts';
import { codeOf } from './error-code.ts';

/** Windows has neither, and needs neither: there a link needs rights, and pipes have names of their own. */
const guarded = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const readOnly = constants.O_RDONLY;
export const appending = constants.O_RDWR | constants.O_APPEND;
export const creating = appending | constants.O_CREAT | constants.O_EXCL;

/**
 * @param path real, as `placeInside` gives it
 * @returns null when no regular file is there
 * @throws ProjectTrouble `outside` or `denied`
 */
export async function openFile(path: string, flags: number): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    if (flags !== creating && !(await lstat(path)).isFile()) return null;
    file = await open(path, flags | guarded, 0o644);
  } catch (error) {
    return refused(codeOf(error), error);
  }
  try {
    const [opened, seen] = await Promise.all([file.stat({ bigint: true }), lstat(path, { bigint: true })]);
    if (!opened.isFile()) throw new ProjectTrouble('unreadable', 'This is not a regular file');
    if (opened.ino !== seen.ino || opened.dev !== seen.dev || (await realpath(path)) !== path)
      throw new ProjectTrouble('outside', 'The path changed while it was opened');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function refused(code: string, error: unknown): null {
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENXIO') return null;
  if (code === 'ELOOP') throw new ProjectTrouble('outside', 'The path leads outside the project');
  if (code === 'ENAMETOOLONG' || code === 'EINVAL') throw new ProjectTrouble('illegal', 'cannot be the name of a file');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') throw new ProjectTrouble('denied', 'The file may not be opened');
  if (code === 'ENOSPC' || code === 'EDQUOT') throw new ProjectTrouble('full', 'The disk is full; nothing was written');
  throw error;
}
