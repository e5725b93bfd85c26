/**
 * Folder handles, each opened from its parent and never through a link. Operations in a held folder cannot be redirected by exchanging a path
 * component for a link. Linux offers that (`/proc/self/fd`); elsewhere the path is used, and `open-file.ts` compares the opened file with the
 * path.
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { asProjectError, codeOf, isAbsence } from './disk-error.ts';

/** File or folder as names below a trusted folder. No component was a link when it was checked. */
export interface Place {
  root: string;
  parts: readonly string[];
}

export const pathOf = ({ root, parts }: Place): string => join(root, ...parts);

/** Whether a held folder is certain to be the opened one. */
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

  /** Path of an entry of this folder. */
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
 * Opens the folder of a place; the caller closes it.
 * @param create creates missing folders, except the root
 * @returns null when missing; an error with `create`
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
