/**
 * Files of a project at a commit: configuration, templates folder, and code folder if any. Known files of earlier snapshots are not fetched
 * again, because git names files by content.
 */
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { SnapshotFile } from '../control/snapshot-store.ts';
import { isLegalName } from '../project/legal-name.ts';
import { configBytesMax, configNames, configOf, templatesPath } from '../project/project-config.ts';
import type { Connected } from './git-connections.ts';
import { GitError, type GitFile, type GitRepository } from './git-host.ts';

const fileBytesMax = 5 * 1024 * 1024;
const totalBytesMax = 64 * 1024 * 1024;
const filesMax = 2000;
const concurrency = 8;
/** Served files: templates with their imports, and datasets. */
const isTemplate = (path: string): boolean => /\.(?:mdx|md|jsonl)$/.test(path);
const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.') || part === 'node_modules');

export interface Commit {
  connected: Connected;
  repository: GitRepository;
  sha: string;
}

/**
 * @param entryPoint of the code, relative to the root of the repository
 * @param before an earlier snapshot
 * @throws GitError, or ProjectError when the configuration cannot be used
 */
export async function readProject(commit: Commit, entryPoint: string | null, before: readonly SnapshotFile[]): Promise<SnapshotFile[]> {
  const reader = new Reader(commit, before);
  const top = (await reader.list('', 'direct')) ?? [];
  const configFiles = top.filter(({ path }) => (configNames as readonly string[]).includes(path));
  const configs = await reader.read(configFiles, configBytesMax);
  const first = configNames.flatMap((name) => configs.find(({ path }) => path === name) ?? [])[0];
  const folder = templatesPath(first ? configOf(first.text.replace(/^\ufeff/, ''), first.path) : null).join('/');
  const templates = ((await reader.list(folder, 'deep')) ?? []).filter(({ path }) => isTemplate(path) && !isHidden(path));
  const code = entryPoint === null ? [] : await codeFiles(reader, entryPoint);
  const wanted = new Map([...code, ...templates].filter(({ path }) => isLegalName(path)).map((file) => [file.path, file]));
  for (const { path } of configs) wanted.delete(path);
  if (wanted.size > filesMax) throw new GitError('too_large', `The project has more than ${filesMax} files`);
  return [...configs, ...(await reader.read([...wanted.values()], fileBytesMax))].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** All files beside and below the entry point. */
async function codeFiles(reader: Reader, entryPoint: string): Promise<GitFile[]> {
  const path = posix.normalize(entryPoint);
  if (!isLegalName(path)) return [];
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
  return ((await reader.list(folder, 'deep')) ?? []).filter((file) => !isHidden(file.path));
}

class Reader {
  readonly #commit: Commit;
  /** By git blob id. */
  readonly #known: Map<string, string>;
  #bytes = 0;

  constructor(commit: Commit, before: readonly SnapshotFile[]) {
    this.#commit = commit;
    this.#known = new Map(before.map(({ text }) => [blobSha(Buffer.from(text), 'sha1'), text]));
  }

  /** By paths from the root. */
  async list(folder: string, how: 'direct' | 'deep'): Promise<GitFile[] | null> {
    const { connected, repository, sha } = this.#commit;
    const found = await connected.host.files(connected.access, repository, sha, folder, how);
    return found?.map((file) => ({ ...file, path: folder === '' ? file.path : `${folder}/${file.path}` })) ?? null;
  }

  /** Skips files that are not UTF-8 text, except templates, for which that is an error. */
  async read(files: readonly GitFile[], bytesMax: number): Promise<SnapshotFile[]> {
    const read: SnapshotFile[] = [];
    for (let from = 0; from < files.length; from += concurrency)
      for (const file of await Promise.all(files.slice(from, from + concurrency).map((entry) => this.#file(entry, bytesMax)))) {
        if (!file) continue;
        this.#bytes += Buffer.byteLength(file.text);
        if (this.#bytes > totalBytesMax) throw new GitError('too_large', `The project has more than ${totalBytesMax} bytes`);
        read.push(file);
      }
    return read;
  }

  async #file({ path, sha }: GitFile, bytesMax: number): Promise<SnapshotFile | null> {
    const known = this.#known.get(sha);
    if (known !== undefined) return { path, text: known };
    const { connected, repository } = this.#commit;
    const bytes = await connected.host.blob(connected.access, repository, sha, bytesMax).catch((error: unknown) => {
      if (error instanceof GitError && error.errorKind === 'too_large')
        throw new GitError('too_large', `${path} is larger than ${bytesMax} bytes`);
      throw error;
    });
    if (blobSha(bytes, sha.length === 64 ? 'sha256' : 'sha1') !== sha)
      throw new GitError('unavailable', `The git host sent other content than ${path}`);
    try {
      return { path, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
    } catch {
      if (isTemplate(path)) throw new GitError('unavailable', `${path} is not UTF-8 text`);
      return null;
    }
  }
}

/** Git blob id of the content. */
const blobSha = (bytes: Uint8Array, algorithm: 'sha1' | 'sha256'): string =>
  createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
