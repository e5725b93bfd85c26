/** Agents as real processes in real worktrees: what they are given, which of their changes are kept, and how they end. */
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { aRepository, isAlive, pidHere, scripted, type TestRepository } from '../../fixtures/agent-run-stand.ts';
import { aTurn as newTurn, workspaceOf } from '../../fixtures/agent-run-turn.ts';
import type { Turn, TurnOutcome } from '../agent-runtime.ts';
import { ProcessRuntime } from './process-runtime.ts';

const timeoutMs = 120_000;
const workspace = workspaceOf('7f000000-0000-4000-8000-000000000001');
const { scope, workspace_id } = workspace;

let dataDir: string;
let roots: string;
let repository: TestRepository;
let runtime: ProcessRuntime;
let lines: string[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-runtime-'));
  roots = join(dataDir, 'repositories');
  repository = aRepository(roots, 'tenant', 'team/owls');
  runtime = new ProcessRuntime(dataDir, scripted(roots));
  lines = [];
});
afterEach(async () => {
  await runtime.endStrays();
  rmSync(dataDir, { recursive: true, force: true });
});

const aTurn = (task_prompt: string, change: Partial<Turn> = {}): Turn => newTurn(task_prompt, workspace, change);

async function run(turn: Turn, signal = new AbortController().signal): Promise<TurnOutcome & { startCommit: string }> {
  let startCommit = '';
  const listener = {
    onBegin: async (commit: string) => {
      startCommit = commit;
    },
    onLine: (_: string, text: string) => lines.push(text) > 0,
    onReport: () => {},
  };
  return { ...(await runtime.run(turn, listener, signal)), startCommit };
}

const numberAfter = (word: string) => Number(lines.find((line) => line.startsWith(`${word} `))?.split(' ')[1] ?? 0);
const onBranch = (path: string) => repository.git('show', `${workspace.work_branch}:${path}`);
const printed = (word: string) => vi.waitUntil(() => numberAfter(word) > 0, { timeout: timeoutMs });

it('the changes of an agent are committed to the work branch, and the rest of the repository is unchanged', async () => {
  const outcome = await run(aTurn('write src/a.ts one\nappend README.md two\nresult done'));
  expect(outcome).toMatchObject({ error: null, result: 'done' });
  expect(outcome.changes).toMatchObject({
    files: [
      { path: 'README.md', insertions: 1, deletions: 0 },
      { path: 'src/a.ts', insertions: 1, deletions: 0 },
    ],
    is_cut: false,
  });
  expect(outcome.changes?.patch).toContain('+two');
  expect([onBranch('src/a.ts'), onBranch('README.md')]).toEqual(['one', 'owls\ntwo']);
  expect(repository.git('rev-parse', workspace.work_branch)).toBe(outcome.changes?.commit_sha);
  expect(repository.git('rev-parse', 'main')).toBe(outcome.startCommit);
  expect(repository.git('status', '--porcelain')).toBe('');
  expect((await run(aTurn('print nothing to do'))).changes).toBeNull();
});

it('an agent gets the variables meant for it, and none of the gateway', async () => {
  vi.stubEnv('GLASSHOUSE_SECRET', 'of the gateway');
  vi.stubEnv('MODEL_KEY', 'not passed');
  await run(aTurn('environment\nthread', { model: 'owl-1', session: 'a-session', thread: [{ ...aTurn('look').run, status: 'failed' }] }));
  vi.unstubAllEnvs();
  const { environment, model } = JSON.parse(lines.find((line) => line.startsWith('{"environment"')) ?? '{}');
  expect([model, environment.GLASSHOUSE_API_KEY, environment.GLASSHOUSE_SESSION]).toEqual(['owl-1', 'of the run', 'a-session']);
  expect(environment.GLASSHOUSE_SECRET).toBeUndefined();
  expect(environment.MODEL_KEY).toBeUndefined();
  expect(lines).toEqual(expect.arrayContaining(['resumed a-session', 'turn 0 failed: look']));
});

it('a hook or a program that a repository names is not run by a checkpoint', async () => {
  const trap = join(dataDir, 'trap');
  const program = join(dataDir, 'program.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  for (const hook of ['post-checkout', 'pre-commit', 'post-commit', 'reference-transaction', 'post-index-change'])
    writeFileSync(join(repository.folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  for (const setting of ['core.fsmonitor', 'core.sshCommand', 'diff.external', 'gpg.program', 'core.pager', 'core.editor'])
    repository.git('config', setting, program);
  repository.git('config', 'commit.gpgSign', 'true');
  expect(await run(aTurn('write a.txt one'))).toMatchObject({ error: null, changes: { files: [{ path: 'a.txt' }] } });
  expect(existsSync(trap)).toBe(false);
});

it('whatever an agent does to git, the checkpoint holds its files on the work branch', async () => {
  await run(aTurn('write a.txt one'));
  const hostile = ['git checkout --quiet -b elsewhere', 'write b.txt two', 'git add b.txt', 'remove .git', 'write c.txt three'];
  const { error, changes } = await run(aTurn(hostile.join('\n')));
  expect([error, changes?.files.map(({ path }) => path)]).toEqual([null, ['b.txt', 'c.txt']]);
  expect([onBranch('a.txt'), onBranch('b.txt'), onBranch('c.txt')]).toEqual(['one', 'two', 'three']);
  expect(repository.git('rev-list', '--count', `main..${workspace.work_branch}`)).toBe('2');
});

it('a checkpoint that was made but not recorded is found again, and locks left by a killed git are removed', async () => {
  const { changes, startCommit } = await run(aTurn('write a.txt one'));
  expect(await runtime.checkpoint(workspace, aTurn('write a.txt one').run, startCommit)).toEqual(changes);
  const git = join(repository.folder, '.git');
  for (const lock of [
    `worktrees/${workspace_id}/index.lock`,
    `worktrees/${workspace_id}/HEAD.lock`,
    `refs/heads/${workspace.work_branch}.lock`,
  ])
    writeFileSync(join(git, lock), '');
  expect((await run(aTurn('write b.txt two'))).changes?.files).toEqual([{ path: 'b.txt', insertions: 1, deletions: 0 }]);
});

it('a lost workspace is recreated from its branch', async () => {
  await run(aTurn('write a.txt one'));
  rmSync(join(dataDir, 'workspaces'), { recursive: true });
  await run(aTurn('read a.txt'));
  expect(lines).toContain('one');
  await runtime.remove(workspace);
  expect(readdirSync(join(dataDir, 'workspaces'))).toEqual([]);
  expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(onBranch('a.txt')).toBe('one');
  expect((await run(aTurn('write b.txt two', { ...workspace, repo: null }))).changes?.files).toHaveLength(1);
});

it.each(['auto', 'none'] as const)('a turn that is ended leaves no process behind: isolation %s', async (isolation) => {
  runtime = new ProcessRuntime(dataDir, { ...scripted(roots), isolation });
  const abort = new AbortController();
  const running = run(aTurn('write a.txt half\ndeaf\nleave\nme\nwait'), abort.signal);
  await printed('me');
  const pids = [numberAfter('me'), numberAfter('left')].map((pid) => pidHere(dataDir, pid));
  expect(pids.map(isAlive)).toEqual([true, true]);
  abort.abort(new Error('enough'));
  expect(await running).toMatchObject({ error: 'enough', changes: { files: [{ path: 'a.txt' }] } });
  expect(pids.map(isAlive)).toEqual([false, false]);
});

it('time, cost and disk space are limited', async () => {
  runtime = new ProcessRuntime(dataDir, scripted(roots, { turnMs: 1500 }));
  expect((await run(aTurn('wait'))).error).toBe('The turn took longer than 2 seconds');
  runtime = new ProcessRuntime(dataDir, { ...scripted(roots), costMax: 0.5 });
  expect((await run(aTurn('cost 0.4\nresult fine'))).error).toBeNull();
  expect((await run(aTurn('cost 0.6\nwait'))).error).toBe('The turn cost 0.6 US dollars, and may cost 0.5');
  expect((await run(aTurn('cost 0.3\nwait', { max_cost_usd: 0.2 }))).error).toContain('may cost 0.2');
  runtime = new ProcessRuntime(dataDir, scripted(roots, { diskBytes: 4 * 1024 * 1024 }));
  for (const task of ['write a.txt one\nbig 8\nwait', 'write a.txt one\nbig 8'])
    expect(await run(aTurn(task))).toMatchObject({ error: expect.stringContaining('more than 4 MiB'), changes: null });
  expect((await run(aTurn('write a.txt one'))).changes?.files).toHaveLength(1);
});

it('the reason why an agent failed is reported', async () => {
  expect((await run(aTurn('print last words\nexit 3'))).error).toBe('The agent ended with exit code 3');
  expect(await run(aTurn('failure no luck'))).toMatchObject({ error: 'The agent reported a failure', result: 'no luck' });
  runtime = new ProcessRuntime(dataDir, { ...scripted(roots), command: ['/nowhere/agent'] as never });
  expect((await run(aTurn('print'))).error).toContain('could not be started');
});

it('only repositories below the folder of the tenant are found', async () => {
  const other = aRepository(roots, 'other', 'team/secrets');
  symlinkSync(other.folder, join(roots, 'tenant', 'team', 'link'));
  const problem = async (repo: string | null, base: string | null = null) => (await runtime.problemOf({ scope, repo, base }))?.part ?? null;
  expect(await problem('team/owls')).toBeNull();
  for (const name of ['team/secrets', 'team/link', '../other/team/secrets', 'team', 'team/none']) expect(await problem(name)).toBe('repo');
  expect([await problem('team/owls', 'refs/heads/main'), await problem(null)]).toEqual([null, null]);
  for (const base of ['refs/heads/none', '--upload-pack=x', 'deadbeefdeadbeef']) expect(await problem('team/owls', base)).toBe('base');
});
