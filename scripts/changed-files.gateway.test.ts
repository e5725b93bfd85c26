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

/** A repository with `kept.ts` and `gone.ts` on main. */
function repository() {
  const root = mkdtempSync(join(tmpdir(), 'glasshouse-changed-'));
  roots.push(root);
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...words: string[]) => execFileSync('git', [...identity, ...words], { cwd: root, stdio: 'pipe' });
  const write = (file: string, text = file) => writeFileSync(join(root, file), text);
  const commit = () => [git('add', '-A'), git('commit', '-qm', 'change')];
  git('init', '-q', '-b', 'main');
  for (const file of ['kept.ts', 'gone.ts', '.gitignore']) write(file, file === '.gitignore' ? 'out' : file);
  commit();
  return { root, git, write, commit };
}

it('what was committed since main was left, what was not, and what is new; not what main has got since, what is gone or ignored', () => {
  const { root, git, write, commit } = repository();
  git('checkout', '-qb', 'work');
  write('committed.ts');
  commit();
  git('checkout', '-q', 'main');
  write('of-main.ts');
  commit();
  git('checkout', '-q', 'work');
  write('kept.ts', 'changed');
  write('new one.ts');
  write('out');
  rmSync(join(root, 'gone.ts'));
  expect(changedFiles(root)).toEqual(['committed.ts', 'kept.ts', 'new one.ts']);
});

it('on main, and where there is no main, what is not committed', () => {
  const { root, git, write } = repository();
  write('kept.ts', 'changed');
  expect(changedFiles(root)).toEqual(['kept.ts']);
  git('branch', '-qm', 'trunk');
  expect(changedFiles(root)).toEqual(['kept.ts']);
});
