import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files changed or added since this branch left main, committed or not; relative to the root. Deleted files are not listed. */
export function changedFiles(root: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const base = (): string => {
    for (const main of ['refs/heads/main', 'refs/remotes/origin/main']) {
      try {
        return git('merge-base', 'HEAD', main).trim();
      } catch {
        // This repository has no such branch.
      }
    }
    return 'HEAD';
  };
  const outputs = [git('diff', '--name-only', '-z', '--no-renames', base()), git('ls-files', '--others', '--exclude-standard', '-z')];
  const files = new Set(outputs.flatMap((output) => output.split('\0')).filter((file) => file !== ''));
  return [...files].filter((file) => existsSync(join(root, file))).sort();
}
