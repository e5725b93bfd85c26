/**
 * A workspace: a git worktree on a work branch in a folder of its own, with a home for the agent beside it. It can be recreated from the
 * branch, which has the last checkpoint.
 */
import { lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { AgentChanges } from '../../control/agent-run-store.ts';
import { addAll } from './add-all.ts';
import { changesBetween } from './changes.ts';
import { commitOf, type GitPlace, git } from './git.ts';
import { layOutGitFolder, smallFile } from './own-git-folder.ts';

export interface WorkspacePlace {
  folder: string;
  /** Unique name among the workspaces of a repository. */
  name: string;
  /** Git folder of the gateway, outside the workspace. */
  gitFolder: string;
  /** Git folder of the repository; null for one inside the workspace. */
  repository: string | null;
  branch: string;
  base: string | null;
}

const pathBytesMax = 8192;

export class WorkspaceFiles {
  /** Folder with everything of the workspace. */
  readonly folder: string;
  /** The worktree. */
  readonly files: string;
  /** Home of the agent. */
  readonly home: string;
  readonly #repository: string;
  readonly #branch: string;
  readonly #base: string | null;
  readonly #isOwn: boolean;
  /** The repository's record of the worktree, for the agent's git: ours has its own index. */
  readonly #worktreeDir: string;
  readonly #place: Required<GitPlace>;

  constructor({ folder, name, gitFolder, repository, branch, base }: WorkspacePlace) {
    this.folder = folder;
    // Git names its record of a worktree by the last part of the path.
    this.files = join(folder, name);
    this.home = join(folder, 'home');
    this.#repository = repository ?? join(folder, 'repository.git');
    this.#branch = `refs/heads/${branch}`;
    this.#base = base;
    this.#isOwn = repository === null;
    this.#worktreeDir = join(this.#repository, 'worktrees', name);
    this.#place = { gitDir: gitFolder, workTree: this.files };
  }

  /**
   * Creates or repairs the workspace.
   * @returns its current commit
   */
  async prepare(): Promise<string> {
    await mkdir(this.home, { recursive: true, mode: 0o700 });
    if (this.#isOwn && !(await exists(join(this.#repository, 'HEAD')))) await this.#makeRepository();
    await this.#layOut();
    const commit = (await commitOf({ gitDir: this.#place.gitDir }, this.#branch)) ?? (await this.#beginBranch());
    if (!(await exists(this.files))) await this.#makeFiles(commit);
    else if (!(await exists(join(this.#place.gitDir, 'index')))) await this.#readTree(commit);
    await this.#linkWorktree();
    return commit;
  }

  /**
   * Commits all files, whatever the agent did to the index, to HEAD or to the branch.
   * @param since commit at the start of the turn
   * @returns null when nothing has changed since
   */
  async checkpoint(since: string, message: string): Promise<AgentChanges | null> {
    const place = this.#place;
    await this.#layOut();
    const tip = (await commitOf(place, this.#branch)) ?? since;
    await this.#readTree(tip);
    await addAll(place);
    const tree = (await git(place, ['write-tree'])).trim();
    const before = (await git(place, ['rev-parse', `${tip}^{tree}`])).trim();
    // Without hooks and signing, which belong to `git commit`.
    const commit = tree === before ? tip : (await git(place, ['commit-tree', tree, '-p', tip], message)).trim();
    await git(place, ['update-ref', '--no-deref', this.#branch, commit]);
    await this.#linkWorktree();
    return commit === since ? null : changesBetween(place, since, commit);
  }

  /** Resets the files to the last checkpoint, and removes untracked ones. */
  async reset(): Promise<void> {
    await rm(this.files, { recursive: true, force: true });
    await rm(this.home, { recursive: true, force: true });
    await this.prepare();
  }

  async remove(): Promise<void> {
    for (const folder of [this.folder, this.#place.gitDir]) await rm(folder, { recursive: true, force: true });
    if (!this.#isOwn) await this.#forgetWorktrees();
  }

  async #makeRepository(): Promise<void> {
    await rm(this.#repository, { recursive: true, force: true });
    await mkdir(this.#repository, { mode: 0o700 });
    const place = { gitDir: this.#repository };
    await git(place, ['init', '--quiet', '--bare', '--initial-branch=main', '--template=']);
    const emptyTree = (await git(place, ['hash-object', '-w', '-t', 'tree', '--stdin'])).trim();
    const first = (await git(place, ['commit-tree', emptyTree], 'An empty workspace\n')).trim();
    await git(place, ['update-ref', 'refs/heads/main', first]);
  }

  async #layOut(): Promise<void> {
    // Left by a git that was killed. No other git runs here.
    const locks = [
      join(this.#worktreeDir, 'index.lock'),
      join(this.#worktreeDir, 'HEAD.lock'),
      join(this.#repository, `${this.#branch}.lock`),
    ];
    await Promise.all(locks.map((lock) => rm(lock, { force: true })));
    await layOutGitFolder(this.#place.gitDir, this.#repository);
  }

  async #beginBranch(): Promise<string> {
    const place = { gitDir: this.#place.gitDir };
    const from = await commitOf(place, this.#base ?? 'HEAD');
    if (from === null) throw new Error('The base of the workspace is not in the repository');
    await git(place, ['update-ref', this.#branch, from, '']);
    return from;
  }

  async #makeFiles(commit: string): Promise<void> {
    await mkdir(this.files);
    await rm(join(this.#place.gitDir, 'index'), { force: true });
    await git(this.#place, ['read-tree', '--reset', '-u', commit]);
    await this.#forgetWorktrees();
  }

  /** Sets the index to a commit. Entries of unchanged files stay; an unreadable index is recreated. */
  async #readTree(commit: string): Promise<void> {
    await git(this.#place, ['read-tree', '-m', commit]).catch(async () => {
      await rm(join(this.#place.gitDir, 'index'), { recursive: true, force: true });
      await git(this.#place, ['read-tree', commit]);
    });
  }

  /** For the agent's own git: a worktree of the repository on the work branch, clean at the last checkpoint. */
  async #linkWorktree(): Promise<void> {
    const existing = await lstat(this.#worktreeDir).catch(() => null);
    if (existing?.isDirectory() === false) await rm(this.#worktreeDir);
    await mkdir(this.#worktreeDir, { recursive: true });
    const link = join(this.files, '.git');
    await replace(join(this.#worktreeDir, 'commondir'), '../..\n');
    await replace(join(this.#worktreeDir, 'gitdir'), `${link}\n`);
    await replace(join(this.#worktreeDir, 'HEAD'), `ref: ${this.#branch}\n`);
    await replace(join(this.#worktreeDir, 'index'), await readFile(join(this.#place.gitDir, 'index')));
    if ((await lstat(link).catch(() => null)) === null) await writeFile(link, `gitdir: ${this.#worktreeDir}\n`, { flag: 'wx' });
  }

  /** Removes the repository's records of deleted worktrees. */
  async #forgetWorktrees(): Promise<void> {
    const all = dirname(this.#worktreeDir);
    const ours = dirname(this.folder) + sep;
    for (const name of await readdir(all).catch((): string[] => [])) {
      const place = (await smallFile(join(all, name, 'gitdir'), pathBytesMax))?.trim();
      if (place?.startsWith(ours) && !(await exists(dirname(place)))) await rm(join(all, name), { recursive: true, force: true });
    }
  }
}

/** Replaces whatever is at the path. */
async function replace(path: string, content: string | Uint8Array): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await writeFile(path, content, { flag: 'wx' });
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
