import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The files that differ from where this branch left main, committed or not, and new ones; relative to the root. Deleted ones are not named. */
export function changedFiles(root: string): string[] {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const base = (): string => {
    for (const main of ['refs/heads/main', 'refs/remotes/origin/main']) {
      try {
        return git('merge-base', 'HEAD', main).trim();
      } catch {
        // There is no such branch here.
      }
    }
    return 'HEAD';
  };
  const told = [git('diff', '--name-only', '-z', '--no-renames', base()), git('ls-files', '--others', '--exclude-standard', '-z')];
  const files = new Set(told.flatMap((text) => text.split('\0')).filter((file) => file !== ''));
  return [...files].filter((file) => existsSync(join(root, file))).sort();
}
