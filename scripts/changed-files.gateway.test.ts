import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { changedFiles } from './changed-files.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A repository with `edited.ts` and `deleted.ts` on main. */
function repository() {
  const root = mkdtempSync(join(tmpdir(), 'glasshouse-changed-'));
  roots.push(root);
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'pipe' });
  const write = (file: string, text = file) => writeFileSync(join(root, file), text);
  const commit = () => [git('add', '-A'), git('commit', '-qm', 'change')];
  git('init', '-q', '-b', 'main');
  for (const file of ['edited.ts', 'deleted.ts', '.gitignore']) write(file, file === '.gitignore' ? 'out' : file);
  commit();
  return { root, git, write, commit };
}

it('lists committed, uncommitted and new files since the branch left main, without later changes of main, deleted and ignored files', () => {
  const { root, git, write, commit } = repository();
  git('checkout', '-qb', 'work');
  write('committed.ts');
  commit();
  git('checkout', '-q', 'main');
  write('later-on-main.ts');
  commit();
  git('checkout', '-q', 'work');
  write('edited.ts', 'changed');
  write('new one.ts');
  write('out');
  rmSync(join(root, 'deleted.ts'));
  expect(changedFiles(root)).toEqual(['committed.ts', 'edited.ts', 'new one.ts']);
});

it('lists uncommitted files on main and in a repository without main', () => {
  const { root, git, write } = repository();
  write('edited.ts', 'changed');
  expect(changedFiles(root)).toEqual(['edited.ts']);
  git('branch', '-qm', 'trunk');
  expect(changedFiles(root)).toEqual(['edited.ts']);
});
