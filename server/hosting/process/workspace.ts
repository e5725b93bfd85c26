/** The folders of handlers, below the data folder: one for each environment, and in it one for each release. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SnapshotFile } from '../../control/snapshot-store.ts';
import { legalSegments } from '../../project/legal-name.ts';

export class Workspaces {
  readonly #root: string;

  constructor(dataDir: string) {
    this.#root = join(dataDir, 'handlers');
  }

  /** @returns the folder of the environment */
  async prepare(environmentId: string): Promise<string> {
    const folder = join(this.#root, environmentId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  }

  /**
   * Writes the files of a release. A folder with the final name is always complete.
   * @throws ProjectError for an invalid path
   */
  async write(environmentId: string, deploymentId: string, files: readonly SnapshotFile[]): Promise<string> {
    const folder = join(await this.prepare(environmentId), deploymentId);
    const unfinished = `${folder}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    for (const { path, text } of files) {
      const file = join(unfinished, ...legalSegments(path));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder);
    return folder;
  }

  /** Removes all releases of the environment but one, or all. */
  async keepRelease(environmentId: string, deploymentId: string | null): Promise<void> {
    await dropOthers(join(this.#root, environmentId), (name) => name === deploymentId);
  }

  async remove(environmentId: string): Promise<void> {
    await rm(join(this.#root, environmentId), { recursive: true, force: true });
  }

  async keepOnly(environmentIds: ReadonlySet<string>): Promise<void> {
    await dropOthers(this.#root, (name) => environmentIds.has(name));
  }
}

async function dropOthers(folder: string, isKept: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  await Promise.all(names.filter((name) => !isKept(name)).map((name) => rm(join(folder, name), { recursive: true, force: true })));
}
