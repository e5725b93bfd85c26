/**
 * Appends to datasets, one append after the other for each file. Rows go by one write behind the end that the file has at that moment and
 * are flushed before they count; what could not be written whole is cut off again. The file stays the same file, so that it keeps its rights
 * and its time of birth and nothing that others append meanwhile is lost (ADR 007). A new dataset appears with its rows in it, or not at all.
 */

import { randomUUID } from 'node:crypto';
import { type FileHandle, link, lstat, readdir, rename, unlink } from 'node:fs/promises';
import { ProjectError } from '../project-error.ts';
import { countRows, type RowCount } from './count-rows.ts';
import { appending, asProjectError, codeOf, creating, type HeldFolder, hold, openIn, type Place } from './open-file.ts';
import { stateOf } from './remembered.ts';

/** Properties of a file after our last write: while unchanged, its rows need no counting. */
interface Known extends RowCount {
  state: string;
}

const knownMax = 100;
const attemptsMax = 5;

export class RowAppender {
  readonly #bytesMax: number;
  /** The last append of each file that is being written. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #known = new Map<string, Known>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * @param find resolves the file when the turn has come, because it may have changed
   * @returns number of the first new row
   * @throws ProjectError
   */
  append(key: string, find: () => Promise<Place>, rows: readonly string[]): Promise<number> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const write = async () => this.#write(key, await find(), rows);
    const mine = before.then(write, write);
    this.#last.set(key, mine);
    const done = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(done, done);
    return mine;
  }

  async #write(key: string, { root, parts }: Place, rows: readonly string[]): Promise<number> {
    const folder = await hold({ root, parts: parts.slice(0, -1) }, true);
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
      // A file that is too large already is not counted first.
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

  #remember(key: string, known: Known): void {
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(key, known);
  }
}

/** A single write, so that rows of concurrent writers do not interleave. */
async function writeWhole(file: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    const { bytesWritten } = await file.write(bytes, 0, bytes.length);
    if (bytesWritten < bytes.length) throw Object.assign(new Error('The disk took a part only'), { code: 'ENOSPC' });
    await file.sync();
  } catch (error) {
    await file.truncate(size).catch(() => {});
    throw asProjectError(error);
  }
}

/** By anything but a regular file. A file that appeared meanwhile is none. */
async function isTaken(folder: HeldFolder, name: string): Promise<boolean> {
  const found = await lstat(folder.at(name)).catch(() => null);
  return found !== null && !found.isFile();
}

const draftForm = /^\.glasshouse-[0-9a-f-]{36}\.tmp$/;
const abandonedMs = 60_000;

/** False when another writer created it first. */
async function create(folder: HeldFolder, name: string, bytes: Buffer): Promise<boolean> {
  await sweep(folder);
  const draft = `.glasshouse-${randomUUID()}.tmp`;
  const file = await openIn(folder, draft, creating);
  if (!file) throw new ProjectError('denied', 'The folder went away');
  try {
    await writeWhole(file, bytes, 0).finally(() => file.close());
    const isOurs = await publish(folder, draft, name);
    await folder.sync();
    return isOurs;
  } catch (error) {
    throw asProjectError(error);
  } finally {
    await unlink(folder.at(draft)).catch(() => {});
  }
}

/** Gives the draft its name, which must be free. */
async function publish(folder: HeldFolder, draft: string, name: string): Promise<boolean> {
  try {
    await link(folder.at(draft), folder.at(name));
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
  }
  // A file system without hard links.
  if (await lstat(folder.at(name)).catch(() => null)) return false;
  await rename(folder.at(draft), folder.at(name));
  return true;
}

/** Drafts of gateways that were killed. */
async function sweep(folder: HeldFolder): Promise<void> {
  const names = await readdir(folder.at('.')).catch(() => []);
  for (const path of names.filter((name) => draftForm.test(name)).map((name) => folder.at(name))) {
    const found = await lstat(path).catch(() => null);
    if (found && Date.now() - found.mtimeMs > abandonedMs) await unlink(path).catch(() => {});
  }
}
