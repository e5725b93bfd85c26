/** Content read from files, cached for as long as their metadata is unchanged. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import { type FileLocation, openFile, pathOf, readOnly } from './open-file.ts';

/** Identifies the state of a file or folder: the same string means the same content, provided that the first one was settled. */
export const stateOf = ({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string => [dev, ino, size, mtimeNs, ctimeNs].join();

/** Clocks of file systems tick every 10 ms or finer, except those that count whole seconds: FAT every 2 s, HFS+ every second. */
const tickMs = 100;
const coarseTickMs = 3_000;

/**
 * Whether the last change is old enough for another one to have a different time. Within one tick of its clock a file system gives two
 * changes the same time, so content that was read then must not be cached.
 */
export function isSettled({ mtimeNs, ctimeNs }: BigIntStats, nowMs: number): boolean {
  const isCoarse = mtimeNs % 1_000_000_000n === 0n && ctimeNs % 1_000_000_000n === 0n;
  const changedMs = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return nowMs - changedMs > (isCoarse ? coarseTickMs : tickMs);
}

const knownMax = 20_000;

/** @param name of the file, without its folder */
type ReadContent<T> = (file: FileHandle, stats: BigIntStats, name: string) => Promise<T>;

/** Cache of file content, valid while the identity of the file (device, inode, size, times) is unchanged. */
export class FileCache<T> {
  readonly #read: ReadContent<T>;
  readonly #known = new Map<string, { state: string; value: T }>();

  constructor(read: ReadContent<T>) {
    this.#read = read;
  }

  /**
   * Null for a missing file.
   * @throws ProjectError
   */
  async of(location: FileLocation): Promise<T | null> {
    const path = pathOf(location);
    const known = this.#known.get(path);
    if (known) {
      const stats = await lstat(path, { bigint: true }).catch(() => null);
      if (stats && stateOf(stats) === known.state) return known.value;
      this.#known.delete(path);
    }
    const file = await openFile(location, readOnly);
    if (!file) return null;
    try {
      const before = await file.stat({ bigint: true });
      const now = Date.now();
      const value = await this.#read(file, before, location.parts.at(-1) ?? '');
      const state = stateOf(before);
      if (isSettled(before, now) && stateOf(await file.stat({ bigint: true })) === state) this.#remember(path, { state, value });
      return value;
    } finally {
      await file.close();
    }
  }

  #remember(path: string, known: { state: string; value: T }): void {
    if (this.#known.size >= knownMax) this.#known.clear();
    this.#known.set(path, known);
  }
}
