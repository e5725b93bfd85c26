/**
 * Appends to datasets, one append at a time for each file. Rows are written with a single write at the current end of the file and flushed
 * before they count; a partial write is truncated again. The file is never replaced, so that it keeps its permissions and creation time, and
 * nothing that others append meanwhile is lost (ADR 007). A new dataset appears together with its rows, or not at all.
 */

import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, readdir, rename, unlink } from 'node:fs/promises';
import { ProjectError } from '../project-error.ts';
import { countRows, type RowCount } from './count-rows.ts';
import { stateOf } from './file-cache.ts';
import { appending, asProjectError, codeOf, creating, type FileLocation, type OpenFolder, openFolder, openIn } from './open-file.ts';

/** State of a file after our last write: while it is unchanged, its rows need not be counted again. */
interface KnownCount extends RowCount {
  state: string;
}

const knownMax = 100;
const attemptsMax = 5;

export class RowAppender {
  readonly #bytesMax: number;
  /** The last pending append of each file. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #known = new Map<string, KnownCount>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * @param find resolves the file when it is this append's turn, because it may have changed
   * @returns number of the first new row
   * @throws ProjectError
   */
  append(key: string, find: () => Promise<FileLocation>, rows: readonly string[]): Promise<number> {
    const previous = this.#last.get(key) ?? Promise.resolve();
    const write = async () => this.#write(key, await find(), rows);
    const current = previous.then(write, write);
    this.#last.set(key, current);
    const done = () => {
      if (this.#last.get(key) === current) this.#last.delete(key);
    };
    current.then(done, done);
    return current;
  }

  async #write(key: string, { root, parts }: FileLocation, rows: readonly string[]): Promise<number> {
    const folder = await openFolder({ root, parts: parts.slice(0, -1) }, true);
    const name = parts.at(-1) ?? '';
    try {
      for (let attempt = 0; folder && attempt < attemptsMax; attempt++) {
        const file = await openIn(folder, name, appending);
        if (file) return await this.#extend(key, file, rows);
        if (await isTaken(folder, name)) break;
        if (await create(folder, name, this.#bytesOf(rows, 0))) return 0;
      }
      throw new ProjectError('unreadable', 'The name belongs to a folder or another object that is not a file');
    } finally {
      await folder?.close();
    }
  }

  async #extend(key: string, file: FileHandle, rows: readonly string[]): Promise<number> {
    try {
      // Check the size first, so that the rows of a file that is already too large are not counted.
      this.#bytesOf(rows, (await file.stat()).size);
      const { rows: first, ended } = await this.#count(key, file);
      const { size } = await file.stat();
      await writeWhole(file, this.#bytesOf(ended ? rows : ['', ...rows], size), size);
      this.#remember(key, { rows: first + rows.length, ended: true, state: stateOf(await file.stat({ bigint: true })) });
      return first;
    } finally {
      await file.close();
    }
  }

  #bytesOf(lines: readonly string[], size: number): Buffer {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    if (size + bytes.length > this.#bytesMax) throw new ProjectError('too_large', `A dataset holds at most ${this.#bytesMax} bytes`);
    return bytes;
  }

  async #count(key: string, file: FileHandle): Promise<RowCount> {
    const known = this.#known.get(key);
    return known?.state === stateOf(await file.stat({ bigint: true })) ? known : countRows(file);
  }

  #remember(key: string, known: KnownCount): void {
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(key, known);
  }
}

/** A single write, so that rows of concurrent writers do not interleave. */
async function writeWhole(file: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    const { bytesWritten } = await file.write(bytes, 0, bytes.length);
    if (bytesWritten < bytes.length) throw Object.assign(new Error('The disk accepted only part of the data'), { code: 'ENOSPC' });
    await file.sync();
  } catch (error) {
    await file.truncate(size).catch(() => {});
    throw asProjectError(error);
  }
}

/** Whether something other than a regular file has the name. A regular file that appeared meanwhile does not count. */
async function isTaken(folder: OpenFolder, name: string): Promise<boolean> {
  const found = await lstat(folder.at(name)).catch(() => null);
  return found !== null && !found.isFile();
}

const draftForm = /^\.glasshouse-[0-9a-f-]{36}\.tmp$/;
const abandonedMs = 60_000;

/** False when another writer created it first. */
async function create(folder: OpenFolder, name: string, bytes: Buffer): Promise<boolean> {
  await removeAbandonedDrafts(folder);
  const draft = `.glasshouse-${randomUUID()}.tmp`;
  const file = await openIn(folder, draft, creating);
  if (!file) throw new ProjectError('denied', 'The folder was removed');
  try {
    await writeWhole(file, bytes, 0).finally(() => file.close());
    const isPublished = await publish(folder, draft, name);
    await folder.sync();
    return isPublished;
  } catch (error) {
    throw asProjectError(error);
  } finally {
    await unlink(folder.at(draft)).catch(() => {});
  }
}

/** Gives the draft its final name. False when the name is taken. */
async function publish(folder: OpenFolder, draft: string, name: string): Promise<boolean> {
  try {
    await link(folder.at(draft), folder.at(name));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
  }
  // The file system has no hard links.
  if (await lstat(folder.at(name)).catch(() => null)) return false;
  await rename(folder.at(draft), folder.at(name));
  return true;
}

/** Removes drafts of gateways that were killed. */
async function removeAbandonedDrafts(folder: OpenFolder): Promise<void> {
  const names = await readdir(folder.at('.')).catch(() => []);
  for (const path of names.filter((name) => draftForm.test(name)).map((name) => folder.at(name))) {
    const found = await lstat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > abandonedMs) await unlink(path).catch(() => {});
  }
}
