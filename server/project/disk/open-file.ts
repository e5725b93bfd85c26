/**
 * Files and folders below a trusted folder, opened so that no path can lead outside it.
 *
 * Folders are held open, each opened from its parent and never through a link: an operation in a held folder stays in that folder even when a
 * part of its path is exchanged for a link at the same moment. Linux offers this (`/proc/self/fd`). Elsewhere the path is used, and the opened
 * file is compared with the path afterwards: an exchanged folder is detected before a byte is read or written. Only regular files are opened,
 * never through a link, without blocking on pipes.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ProjectError } from '../project-error.ts';

/** A file or folder by the names that lead to it from a folder that is trusted. No part of it was a link when it was looked at. */
export interface Place {
  root: string;
  parts: readonly string[];
}

export const pathOf = ({ root, parts }: Place): string => join(root, ...parts);

/** Whether what is reached through a held folder is certainly in it. */
export const canHold = process.platform === 'linux' && existsSync('/proc/self/fd');

export class HeldFolder {
  readonly path: string;
  readonly #handle: FileHandle | null;

  private constructor(path: string, handle: FileHandle | null) {
    this.path = path;
    this.#handle = handle;
  }

  static async open(path: string, reachedBy = path): Promise<HeldFolder> {
    if (canHold) return new HeldFolder(path, await open(reachedBy, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
    if (!(await lstat(path)).isDirectory()) throw Object.assign(new Error(`${path} is no folder`), { code: 'ENOTDIR' });
    return new HeldFolder(path, null);
  }

  /** By which path something in this folder is to be reached. */
  at(name: string): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}/${name}` : join(this.path, name);
  }

  child(name: string): Promise<HeldFolder> {
    return HeldFolder.open(join(this.path, name), this.at(name));
  }

  /** Makes the names in it durable, where the system can do that. */
  async sync(): Promise<void> {
    if (this.#handle) return this.#handle.sync();
    const handle = await open(this.path, constants.O_RDONLY).catch(() => null);
    await handle?.sync().catch(() => {});
    await handle?.close();
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}

/**
 * The folder at a place, held; who asks for it closes it.
 * @param create makes what is missing of it, except the root
 * @returns null when it is not there; with `create` that is an error
 * @throws ProjectError
 */
export async function hold({ root, parts }: Place, create = false): Promise<HeldFolder | null> {
  let held: HeldFolder | null = null;
  try {
    held = await HeldFolder.open(root);
    for (const name of parts) {
      const next: HeldFolder = create ? await childOrNew(held, name) : await held.child(name);
      await held.close();
      held = next;
    }
    return held;
  } catch (error) {
    await held?.close();
    if (!create && isAbsence(error)) return null;
    throw asProjectError(error);
  }
}

async function childOrNew(folder: HeldFolder, name: string): Promise<HeldFolder> {
  try {
    return await folder.child(name);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  await mkdir(folder.at(name)).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  await folder.sync();
  return folder.child(name);
}

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

/** A whole file as text, without a byte order mark; null when there is none. */
export const readText = (place: Place, bytesMax: number): Promise<string | null> => reading(place, (file) => textOf(file, bytesMax));

/** A whole file in a buffer of its own; null when there is none. */
export const readFileBytes = (place: Place, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> =>
  reading(place, (file) => bytesOf(file, bytesMax));

/** @throws ProjectError `too_large`, or `unreadable` when it is not UTF-8 */
export async function textOf(file: FileHandle, bytesMax: number): Promise<string> {
  const bytes = await bytesOf(file, bytesMax);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProjectError('unreadable', 'The file is not text in UTF-8');
  }
}

async function reading<T>(place: Place, read: (file: FileHandle) => Promise<T>): Promise<T | null> {
  const file = await openFile(place, readOnly);
  if (!file) return null;
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

/** Piece by piece: copied together in one go, tens of megabytes would hold the event loop. */
async function bytesOf(file: FileHandle, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await file.stat();
  if (size > bytesMax) throw new ProjectError('too_large', `The file is larger than ${bytesMax} bytes`);
  const bytes = new Uint8Array(size);
  let read = 0;
  // What is appended meanwhile comes too late; what is cut off is not there.
  while (read < size) {
    const { bytesRead } = await file.read(bytes, read, Math.min(pieceBytes, size - read), read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

const pieceBytes = 1024 * 1024;

const atOnce = 32;

/** Results in the order of the inputs; few at once, since each holds a file open. */
export async function inBatches<A, B>(inputs: readonly A[], work: (input: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  for (let from = 0; from < inputs.length; from += atOnce)
    results.push(...(await Promise.all(inputs.slice(from, from + atOnce).map(work))));
  return results;
}

/** The operating system's word for what went wrong; '' for errors that are not its. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** Nothing is there that could be opened as what was asked for. */
export const isAbsence = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO'].includes(codeOf(error));

/** What an error of the disk means for a project's files; an error that means nothing of the kind stays as it is. */
export function asProjectError(error: unknown): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new ProjectError('full', 'The disk is full; nothing was written');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ProjectError('denied', 'The file or its folder may not be opened so');
    case 'EIO':
    case 'EBUSY':
    case 'EMFILE':
    case 'ENFILE':
    case 'ESTALE':
      return new ProjectError('denied', 'The disk did not do it this time');
    case 'ELOOP':
      return new ProjectError('outside', 'The path leads outside the project');
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return new ProjectError('illegal', 'cannot be the name of a file');
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'ENXIO':
      return new ProjectError('unreadable', 'A folder, or something else that is no file, stands where a file or folder should be');
    default:
      return error;
  }
}
