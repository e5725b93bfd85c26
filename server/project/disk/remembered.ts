import type { BigIntStats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import { isSettled, stateOf } from './file-state.ts';
import { type Place, pathOf } from './held-folder.ts';
import { openFile, readOnly } from './open-file.ts';

const knownMax = 20_000;

/** @param name of the file, without its folder */
type Read<T> = (file: FileHandle, stats: BigIntStats, name: string) => Promise<T>;

/** Cache of file content, valid while the identity of the file (device, inode, size, times) is unchanged. */
export class Remembered<T> {
  readonly #read: Read<T>;
  readonly #known = new Map<string, { state: string; value: T }>();

  constructor(read: Read<T>) {
    this.#read = read;
  }

  /**
   * Null for a missing file.
   * @throws ProjectError
   */
  async of(place: Place): Promise<T | null> {
    const path = pathOf(place);
    const known = this.#known.get(path);
    if (known) {
      const seen = await lstat(path, { bigint: true }).catch(() => null);
      if (seen && stateOf(seen) === known.state) return known.value;
      this.#known.delete(path);
    }
    const file = await openFile(place, readOnly);
    if (!file) return null;
    try {
      const before = await file.stat({ bigint: true });
      const now = Date.now();
      const value = await this.#read(file, before, place.parts.at(-1) ?? '');
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
