/**
 * A workspace: a git worktree on a work branch, in a folder of its own with a home for the agent beside it. All of it can be made anew from
 * the branch, which holds what the last checkpoint kept.
 */
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkerChanges } from '../../control/worker-store.ts';
import { must } from '../../platform/assert.ts';
import { changesBetween } from './changes.ts';
import { commitOf, type GitPlace, git } from './git.ts';

export class WorkspaceFiles {
  /** All that there is of it. */
  readonly folder: string;
  /** The worktree. */
  readonly files: string;
  /** Where the agent keeps what is its own. */
  readonly home: string;
  readonly #gitDir: string;
  readonly #branch: string;
  readonly #base: string | null;

  /**
   * @param folder whose name is that of the workspace, among all that share the repository
   * @param gitDir of the repository; null for one that goes with the workspace
   */
  constructor(folder: string, name: string, gitDir: string | null, branch: string, base: string | null) {
    this.folder = folder;
    // Git names what it knows of a worktree after the last part of its path.
    this.files = join(folder, name);
    this.home = join(folder, 'home');
    this.#gitDir = gitDir ?? join(folder, 'repository.git');
    this.#branch = `refs/heads/${branch}`;
    this.#base = base;
    this.#worktreeDir = join(this.#gitDir, 'worktrees', name);
    this.#isOwn = gitDir === null;
  }

  readonly #worktreeDir: string;
  readonly #isOwn: boolean;

  /**
   * Makes it, or makes what is left of it whole.
   * @returns the commit that it stands at
   */
  async prepare(): Promise<string> {
    await mkdir(this.home, { recursive: true, mode: 0o700 });
    if (this.#isOwn && !(await exists(join(this.#gitDir, 'HEAD')))) await this.#makeRepository();
    if (!(await exists(join(this.#worktreeDir, 'HEAD'))) || !(await exists(this.files))) await this.#makeWorktree();
    await this.#dropLocks();
    return must(await commitOf(this.#repository, this.#branch), 'a workspace has a work branch');
  }

  /**
   * Commits all that is in the files, whatever the agent did to the index, to HEAD or to the branch.
   * @param since where the turn began
   * @returns null when nothing is different since then
   */
  async checkpoint(since: string, message: string): Promise<WorkerChanges | null> {
    const place = this.#worktree;
    await this.#dropLocks();
    await git(place, ['symbolic-ref', 'HEAD', this.#branch]);
    const tip = (await commitOf(place, this.#branch)) ?? since;
    await git(place, ['add', '--all']);
    const tree = (await git(place, ['write-tree'])).trim();
    const before = (await git(place, ['rev-parse', `${tip}^{tree}`])).trim();
    // Neither hooks nor signing: those are of `git commit`.
    const commit = tree === before ? tip : (await git(place, ['commit-tree', tree, '-p', tip], message)).trim();
    await git(place, ['update-ref', this.#branch, commit]);
    return commit === since ? null : changesBetween(place, since, commit);
  }

  /** Puts the files back to the last checkpoint, without those that git does not look after. */
  async reset(): Promise<void> {
    await this.#dropLocks();
    await rm(this.files, { recursive: true, force: true });
    await rm(this.home, { recursive: true, force: true });
    await this.prepare();
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    if (!this.#isOwn) await git(this.#repository, ['worktree', 'prune', '--expire=now']);
  }

  get #repository(): GitPlace {
    return { gitDir: this.#gitDir };
  }

  get #worktree(): GitPlace {
    return { gitDir: this.#worktreeDir, workTree: this.files };
  }

  async #makeRepository(): Promise<void> {
    await rm(this.#gitDir, { recursive: true, force: true });
    await mkdir(this.#gitDir, { mode: 0o700 });
    await git(this.#repository, ['init', '--quiet', '--bare', '--initial-branch=main', '--template=']);
    const nothing = (await git(this.#repository, ['hash-object', '-w', '-t', 'tree', '--stdin'])).trim();
    const first = (await git(this.#repository, ['commit-tree', nothing], 'An empty workspace\n')).trim();
    await git(this.#repository, ['update-ref', 'refs/heads/main', first]);
  }

  async #makeWorktree(): Promise<void> {
    const place = this.#repository;
    await rm(this.files, { recursive: true, force: true });
    await git(place, ['worktree', 'prune', '--expire=now']);
    if ((await commitOf(place, this.#branch)) === null) {
      const from = await commitOf(place, this.#base ?? 'HEAD');
      if (from === null) throw new Error('The repository does not have what the workspace is to begin from');
      await git(place, ['update-ref', this.#branch, from, '']);
    }
    const short = this.#branch.replace('refs/heads/', '');
    await git(place, ['worktree', 'add', '--force', '--quiet', '--', this.files, short]);
  }

  /** Left by a git that was killed. No other is at work here. */
  async #dropLocks(): Promise<void> {
    const locks = [join(this.#worktreeDir, 'index.lock'), join(this.#worktreeDir, 'HEAD.lock'), join(this.#gitDir, `${this.#branch}.lock`)];
    await Promise.all(locks.map((lock) => rm(lock, { force: true })));
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
