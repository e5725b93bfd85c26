/**
 * Project in a local folder. Content is cached and refreshed on changes, but no answer relies on change events: each checks its folders and
 * files, and reads changed ones again.
 */
import type { Log } from '../../platform/log.ts';
import type { Scope } from '../../platform/scope.ts';
import { datasetPathOf } from '../legal-name.ts';
import { datasetBytesMax, templateBytesMax } from '../project-config.ts';
import { ProjectError } from '../project-error.ts';
import type { DatasetFile, ProjectConfig, ProjectFiles, PromptFile } from '../project-files.ts';
import { type PromptFacts, promptFactsOf } from '../prompt-facts.ts';
import { RowAppender } from './append-rows.ts';
import { commitSha } from './commit-sha.ts';
import { countRows } from './count-rows.ts';
import { FileCache } from './file-cache.ts';
import { FileIndex } from './file-index.ts';
import { FolderWatch } from './folder-watch.ts';
import { inBatches, readFileBytes, readText, textOf } from './open-file.ts';
import { findProjectRoot, locationInside, locationOf, type ProjectFolder, readConfig, templatesFolder } from './project-folder.ts';

interface DiskPrompt extends PromptFacts {
  path: string;
  /** ISO 8601; null when the file could not be read. */
  changed_at: string | null;
}

const unreadable: Omit<DiskPrompt, 'path'> = { name: null, kind: null, models: [], dataset: null, changed_at: null };

export class DiskProject implements ProjectFiles {
  readonly capabilities = { listing: true };
  readonly #appender = new RowAppender(datasetBytesMax);
  readonly #log: Log;
  #start: string;
  /** The index of the last listed folder. */
  #listed = { folder: '', index: new FileIndex() };
  #watch: FolderWatch;
  readonly #configs = new FileCache((file, _, name) => readConfig(file, name));
  readonly #facts = new FileCache(async (file, { mtimeMs }) => ({
    ...promptFactsOf(await textOf(file, templateBytesMax)),
    changed_at: new Date(Number(mtimeMs)).toISOString(),
  }));
  readonly #rows = new FileCache(async (file, { birthtimeMs, mtimeMs, size }) => ({
    ...(size > datasetBytesMax ? { row_count: null, size_bytes: Number(size) } : { row_count: (await countRows(file)).rows }),
    // Some file systems do not record creation times.
    created_at: new Date(Number(birthtimeMs > 0n ? birthtimeMs : mtimeMs)).toISOString(),
  }));

  /** @param start the project, or a folder in it */
  constructor(start: string, log: Log) {
    this.#start = start;
    this.#log = log;
    this.#watch = this.#newWatch();
  }

  /** Switches to another project; a call in progress keeps the one it started with. @param start as in the constructor */
  open(start: string): void {
    this.#watch.close();
    this.#start = start;
    this.#watch = this.#newWatch();
  }

  async commit(_scope: Scope): Promise<string | null> {
    return commitSha((await findProjectRoot(this.#start)).folder);
  }

  async config(_scope: Scope): Promise<ProjectConfig | null> {
    const root = await findProjectRoot(this.#start);
    const config = root.config && (await this.#configs.of(root.config));
    return config && { commit_sha: await commitSha(root.folder), config };
  }

  async prompts(_scope: Scope, name?: string): Promise<PromptFile[]> {
    if (name !== undefined) return (await this.#prompts()).filter((prompt) => prompt.name === name).map(({ path }) => ({ path, name }));
    return (await this.#list(await this.#templates(), '.prompt.mdx')).map((path) => ({ path, name: null }));
  }

  async text(_scope: Scope, path: string): Promise<string | null> {
    const location = await locationInside(await this.#templates(), path);
    return readText(location, templateBytesMax);
  }

  async dataset(_scope: Scope, path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    return readFileBytes(await locationInside(await this.#templates(), path), datasetBytesMax);
  }

  /** All prompts with front matter and modification time, by path in code unit order. */
  async listPrompts(): Promise<DiskPrompt[]> {
    return this.#prompts();
  }

  datasets(_scope: Scope): Promise<DatasetFile[]> {
    return this.#datasets();
  }

  async append(_scope: Scope, name: string, rows: readonly string[]): Promise<number> {
    const path = datasetPathOf(name);
    const start = this.#start;
    const location = async () => locationInside(await this.#templates(start), path);
    const first = await location();
    return rows.length === 0 ? 0 : this.#appender.append(first.parts.join('/'), location, rows);
  }

  /** Stops watching. Reads still work. */
  close(): void {
    this.#watch.close();
  }

  #newWatch(): FolderWatch {
    const changed = async () => {
      await this.#prompts();
      await this.#datasets();
    };
    return new FolderWatch(changed, (code) => this.#log.info('project_not_watched', { reason: code }));
  }

  async #templates(start = this.#start): Promise<ProjectFolder> {
    const root = await findProjectRoot(start);
    // Requests for an invalid configuration report it; templates use the default folder meanwhile.
    const config = root.config && (await this.#configs.of(root.config).catch(() => null));
    return templatesFolder(root.folder, config);
  }

  async #list(at: ProjectFolder, suffix: '.prompt.mdx' | '.jsonl'): Promise<string[]> {
    // An index belongs to one folder: callers that share a check must mean the same folder.
    if (this.#listed.folder !== at.folder) this.#listed = { folder: at.folder, index: new FileIndex() };
    const { index } = this.#listed;
    const paths = await index.list(at, suffix);
    this.#watch.follow(index.watched(at));
    return paths;
  }

  async #prompts(): Promise<DiskPrompt[]> {
    const at = await this.#templates();
    return inBatches(await this.#list(at, '.prompt.mdx'), async (path) => ({
      path,
      ...((await readCached(this.#facts, at, path)) ?? unreadable),
    }));
  }

  async #datasets(): Promise<DatasetFile[]> {
    const at = await this.#templates();
    const found = await inBatches(await this.#list(at, '.jsonl'), async (name) => {
      const facts = await readCached(this.#rows, at, name);
      return facts && { name, ...facts };
    });
    return found.filter((dataset) => dataset !== null);
  }
}

/** Null for a missing or unreadable file. @param path path from the index */
async function readCached<T>(cache: FileCache<T>, at: ProjectFolder, path: string): Promise<T | null> {
  try {
    return await cache.of(locationOf(at, path));
  } catch (error) {
    if (error instanceof ProjectError) return null;
    throw error;
  }
}
