/**
 * Opens files and folders below a trusted folder so that no path can lead outside it.
 *
 * Folders are kept open, each opened from its parent and never through a link: an operation in an open folder stays in that folder even when
 * a part of its path is replaced by a link at the same moment. Linux supports this (`/proc/self/fd`). Elsewhere the path is used, and the
 * opened file is compared with the path afterwards: a replaced folder is detected before a byte is read or written. Only regular files are opened,
 * never through a link, without blocking on pipes.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { ProjectError } from '../project-error.ts';

/** A file or folder, as the path to it from a trusted folder. No part of it was a link when it was checked. */
export interface FileLocation {
  root: string;
  parts: readonly string[];
}

export const pathOf = ({ root, parts }: FileLocation): string => join(root, ...parts);

/** Whether a path through an open folder is certainly inside it. */
export const hasFolderHandles = process.platform === 'linux' && existsSync('/proc/self/fd');

export class OpenFolder {
  readonly path: string;
  readonly #handle: FileHandle | null;

  private constructor(path: string, handle: FileHandle | null) {
    this.path = path;
    this.#handle = handle;
  }

  static async open(path: string, reachedBy = path): Promise<OpenFolder> {
    if (hasFolderHandles)
      return new OpenFolder(path, await open(reachedBy, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW));
    if (!(await lstat(path)).isDirectory()) throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
    return new OpenFolder(path, null);
  }

  /** The path by which to access an entry of this folder. */
  at(name: string): string {
    return this.#handle ? `/proc/self/fd/${this.#handle.fd}/${name}` : join(this.path, name);
  }

  child(name: string): Promise<OpenFolder> {
    return OpenFolder.open(join(this.path, name), this.at(name));
  }

  /** Makes its entries durable, where the system supports it. */
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
 * Opens the folder at a location; the caller closes it.
 * @param create creates missing parts of the path, except the root
 * @returns null when it does not exist; with `create` that is an error
 * @throws ProjectError
 */
export async function openFolder({ root, parts }: FileLocation, create = false): Promise<OpenFolder | null> {
  let folder: OpenFolder | null = null;
  try {
    folder = await OpenFolder.open(root);
    for (const name of parts) {
      const next: OpenFolder = create ? await childOrNew(folder, name) : await folder.child(name);
      await folder.close();
      folder = next;
    }
    return folder;
  } catch (error) {
    await folder?.close();
    if (!create && isMissing(error)) return null;
    throw asProjectError(error);
  }
}

async function childOrNew(folder: OpenFolder, name: string): Promise<OpenFolder> {
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

/** Windows has neither flag and needs none: creating links takes privileges there, and pipes have their own names. */
const guarded = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const readOnly = constants.O_RDONLY;
export const appending = constants.O_RDWR | constants.O_APPEND;
export const creating = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/**
 * @returns null when there is no regular file
 * @throws ProjectError
 */
export async function openFile({ root, parts }: FileLocation, flags: number): Promise<FileHandle | null> {
  const folder = await openFolder({ root, parts: parts.slice(0, -1) });
  try {
    return folder && (await openIn(folder, parts.at(-1) ?? '', flags));
  } finally {
    await folder?.close();
  }
}

/** Like `openFile`, in an open folder. A created file has the permissions of the user's umask. */
export async function openIn(folder: OpenFolder, name: string, flags: number): Promise<FileHandle | null> {
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
    if (isMissing(error)) return null;
    throw asProjectError(error);
  }
}

async function check(file: FileHandle, path: string): Promise<void> {
  const opened = await file.stat({ bigint: true });
  if (!opened.isFile()) throw new ProjectError('unreadable', 'This is not a regular file');
  if (hasFolderHandles) return;
  const stats = await lstat(path, { bigint: true });
  if (opened.ino !== stats.ino || opened.dev !== stats.dev || (await realpath(path)) !== path)
    throw new ProjectError('outside', 'The path changed while it was opened');
}

/** A whole file as text, without a byte order mark; null when there is none. */
export const readText = (location: FileLocation, bytesMax: number): Promise<string | null> =>
  reading(location, (file) => textOf(file, bytesMax));

/** A whole file in its own buffer; null when there is none. */
export const readFileBytes = (location: FileLocation, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> =>
  reading(location, (file) => bytesOf(file, bytesMax));

/** @throws ProjectError `too_large`, or `unreadable` when it is not UTF-8 */
export async function textOf(file: FileHandle, bytesMax: number): Promise<string> {
  const bytes = await bytesOf(file, bytesMax);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ProjectError('unreadable', 'The file is not UTF-8 text');
  }
}

async function reading<T>(location: FileLocation, read: (file: FileHandle) => Promise<T>): Promise<T | null> {
  const file = await openFile(location, readOnly);
  if (!file) return null;
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

/** In pieces, because copying tens of megabytes at once would block the event loop. */
async function bytesOf(file: FileHandle, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const { size } = await file.stat();
  if (size > bytesMax) throw new ProjectError('too_large', `The file is larger than ${bytesMax} bytes`);
  const bytes = new Uint8Array(size);
  let read = 0;
  // Data that is appended meanwhile is ignored; data that is truncated is missing.
  while (read < size) {
    const { bytesRead } = await file.read(bytes, read, Math.min(pieceBytes, size - read), read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

const pieceBytes = 1024 * 1024;

const batchSize = 32;

/** Results in the order of the inputs; in small batches, because each keeps a file open. */
export async function inBatches<A, B>(inputs: readonly A[], work: (input: A) => Promise<B>): Promise<B[]> {
  const results: B[] = [];
  for (let from = 0; from < inputs.length; from += batchSize)
    results.push(...(await Promise.all(inputs.slice(from, from + batchSize).map(work))));
  return results;
}

/** The error code of the operating system; '' for other errors. */
export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? '';

/** Whether the error means that there is no such file or folder. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENXIO'].includes(codeOf(error));

/** Translates a file system error to a ProjectError; other errors are returned unchanged. */
export function asProjectError(error: unknown): unknown {
  switch (codeOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return new ProjectError('full', 'The disk is full; nothing was written');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new ProjectError('denied', 'Access to the file or its folder is denied');
    case 'EIO':
    case 'EBUSY':
    case 'EMFILE':
    case 'ENFILE':
    case 'ESTALE':
      return new ProjectError('denied', 'The disk could not complete the operation; try again');
    case 'ELOOP':
      return new ProjectError('outside', 'The path leads outside the project');
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return new ProjectError('illegal', 'cannot be the name of a file');
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EISDIR':
    case 'ENXIO':
      return new ProjectError('unreadable', 'Something other than the expected file or folder has this name');
    default:
      return error;
  }
}
