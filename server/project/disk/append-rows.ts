/**
 * Appends to files, one append after the other for each file. A line is written by one write behind the end that the file has at that
 * moment and is flushed before it counts; what could not be written whole is cut off again.
 */
import { type FileHandle, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ProjectTrouble } from '../project-trouble.ts';
import { countRows, type RowCount } from './count-rows.ts';
import { codeOf } from './error-code.ts';
import { appending, creating, openFile } from './open-file.ts';

/** What a file was like after we wrote it: as long as it is still so, its rows need no counting. */
interface Known extends RowCount {
  state: string;
}

const knownMax = 100;

export class RowAppender {
  readonly #bytesMax: number;
  /** The last append of each file that is being written. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #known = new Map<string, Known>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * @param place finds the real path, anew when the turn has come: it may have changed while others wrote
   * @returns the number of the first new row
   */
  append(key: string, place: () => Promise<string>, lines: readonly string[]): Promise<number> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(
      () => this.#write(key, place, lines),
      () => this.#write(key, place, lines),
    );
    this.#last.set(key, mine);
    const done = () => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    mine.then(done, done);
    return mine;
  }

  async #write(key: string, place: () => Promise<string>, lines: readonly string[]): Promise<number> {
    const file = await openOrCreate(await place());
    try {
      const { rows, ended } = await this.#count(key, file);
      const bytes = Buffer.from(`${ended ? '' : '\n'}${lines.map((line) => `${line}\n`).join('')}`);
      const { size } = await file.stat();
      if (size + bytes.length > this.#bytesMax) throw new ProjectTrouble('too_large', `A dataset holds at most ${this.#bytesMax} bytes`);
      await writeWhole(file, bytes, size);
      this.#remember(key, { rows: rows + lines.length, ended: true, state: await stateOf(file) });
      return rows;
    } finally {
      await file.close();
    }
  }

  async #count(key: string, file: FileHandle): Promise<RowCount> {
    const known = this.#known.get(key);
    return known?.state === (await stateOf(file)) ? known : countRows(file);
  }

  #remember(key: string, known: Known): void {
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(key, known);
  }
}

async function stateOf(file: FileHandle): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await file.stat({ bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}

async function openOrCreate(path: string): Promise<FileHandle> {
  const present = await openFile(path, appending);
  if (present) return present;
  try {
    await mkdir(dirname(path), { recursive: true });
    const created = await openFile(path, creating);
    if (created) return created;
  } catch (error) {
    // Somebody else was quicker to create it.
    if (codeOf(error) === 'EEXIST') {
      const late = await openFile(path, appending);
      if (late) return late;
    } else throw asTrouble(error);
  }
  throw new ProjectTrouble('unreadable', 'A folder, or something else that is no file, has this name');
}

/** One write, so that nobody's line falls into the middle of another's. */
async function writeWhole(file: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    const { bytesWritten } = await file.write(bytes, 0, bytes.length);
    if (bytesWritten < bytes.length) throw Object.assign(new Error('The disk took a part only'), { code: 'ENOSPC' });
    await file.sync();
  } catch (error) {
    await file.truncate(size).catch(() => {});
    throw asTrouble(error);
  }
}

function asTrouble(error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new ProjectTrouble('full', 'The disk is full; nothing was written');
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return new ProjectTrouble('denied', 'The folder may not be written to');
  if (code === 'ENOTDIR') return new ProjectTrouble('unreadable', 'A part of the path is a file, not a folder');
  if (code === 'ENAMETOOLONG' || code === 'EINVAL') return new ProjectTrouble('illegal', 'cannot be the name of a file');
  return error;
}
