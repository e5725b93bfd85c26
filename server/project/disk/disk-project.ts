/**
 * A project in a folder of this machine. Nothing is watched: every call looks at the disk, and what is remembered (how many rows a file
 * has) is remembered for one state of that file (device, inode, size, times) and for no other.
 */
import type { Scope } from '../../platform/scope.ts';
import { legalSegments } from '../legal-name.ts';
import { frontMatterOf, nameIn } from '../mdx/front-matter.ts';
import type { DatasetFile, ProjectConfig, ProjectFiles, PromptFile } from '../project-files.ts';
import { ProjectTrouble } from '../project-trouble.ts';
import { RowAppender } from './append-rows.ts';
import { commitSha } from './commit-sha.ts';
import { countRows } from './count-rows.ts';
import { placeInside } from './inside.ts';
import { openFile, readOnly } from './open-file.ts';
import { findProjectRoot, readConfig, templatesFolder } from './project-root.ts';
import { readText } from './read-text.ts';
import { walkFiles } from './walk-files.ts';

const templateBytesMax = 5 * 1024 * 1024;
const datasetBytesMax = 64 * 1024 * 1024;
const countsMax = 1_000;

export class DiskProject implements ProjectFiles {
  readonly capabilities = { listing: true };
  readonly #start: string;
  readonly #appender = new RowAppender(datasetBytesMax);
  readonly #counts = new Map<string, { state: string; rows: number }>();

  /** @param start the project, or a folder in it */
  constructor(start: string) {
    this.#start = start;
  }

  async config(_scope: Scope): Promise<ProjectConfig | null> {
    const root = await findProjectRoot(this.#start);
    const config = await readConfig(root);
    return config && { commit_sha: await commitSha(root.folder), config };
  }

  async prompts(_scope: Scope, name?: string): Promise<PromptFile[]> {
    const folder = await this.#templates();
    const paths = await walkFiles(folder, '.prompt.mdx');
    if (name === undefined) return paths.map((path) => ({ path, name: null }));
    const prompts: PromptFile[] = [];
    for (const path of paths) prompts.push({ path, name: await nameOf(folder, path) });
    return prompts.filter((prompt) => prompt.name === name);
  }

  async text(_scope: Scope, path: string): Promise<string | null> {
    const place = await placeInside(await this.#templates(), path);
    return readText(place, path.endsWith('.jsonl') ? datasetBytesMax : templateBytesMax);
  }

  async datasets(_scope: Scope): Promise<DatasetFile[]> {
    const folder = await this.#templates();
    const datasets: DatasetFile[] = [];
    for (const name of await walkFiles(folder, '.jsonl')) {
      const found = await this.#measure(folder, name);
      if (found) datasets.push(found);
    }
    return datasets;
  }

  async append(_scope: Scope, name: string, rows: readonly string[]): Promise<number> {
    const stem = name.replace(/\.jsonl$/, '');
    // The stem is a name of its own: `nul.jsonl` would be the device, and `.jsonl` nothing.
    const path = `${legalSegments(stem).join('/')}.jsonl`;
    const place = async () => placeInside(await this.#templates(), path);
    const key = await place();
    return rows.length === 0 ? 0 : this.#appender.append(key, place, rows);
  }

  async #templates(): Promise<string> {
    return templatesFolder(await findProjectRoot(this.#start));
  }

  /** Null when it is gone, or not ours to read. */
  async #measure(folder: string, name: string): Promise<DatasetFile | null> {
    const file = await openedIn(folder, name);
    if (!file) return null;
    try {
      const { dev, ino, size, mtimeNs, ctimeNs, birthtimeMs } = await file.stat({ bigint: true });
      const state = [dev, ino, size, mtimeNs, ctimeNs].join();
      const known = this.#counts.get(name);
      const row_count = known?.state === state ? known.rows : (await countRows(file)).rows;
      if (this.#counts.size >= countsMax) this.#counts.clear();
      this.#counts.set(name, { state, rows: row_count });
      return { name, row_count, created_at: new Date(Number(birthtimeMs)).toISOString() };
    } finally {
      await file.close();
    }
  }
}

async function openedIn(folder: string, name: string): ReturnType<typeof openFile> {
  try {
    return await openFile(await placeInside(folder, name), readOnly);
  } catch (error) {
    if (error instanceof ProjectTrouble) return null;
    throw error;
  }
}

async function nameOf(folder: string, path: string): Promise<string | null> {
  try {
    const text = await readText(await placeInside(folder, path), templateBytesMax);
    const front = text === null ? null : frontMatterOf(text);
    return front && nameIn(front.value);
  } catch (error) {
    if (error instanceof ProjectTrouble || error instanceof SyntaxError) return null;
    throw error;
  }
}
