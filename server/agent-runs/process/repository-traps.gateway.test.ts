/** The gateway's git runs no program that an agent plants in a repository: not at this checkpoint, nor later, nor for anybody else. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aRepository, scripted } from '../../fixtures/agent-run-stand.ts';
import { aTurn, workspaceOf } from '../../fixtures/agent-run-turn.ts';
import type { TurnOutcome } from '../agent-runtime.ts';
import { ProcessRuntime } from './process-runtime.ts';

const mine = workspaceOf('7f000000-0000-4000-8000-00000000000a');
const other = workspaceOf('7f000000-0000-4000-8000-00000000000b');

let dataDir: string;
let sprung: string;
let runtime: ProcessRuntime;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'glasshouse-traps-'));
  sprung = join(dataDir, 'sprung');
  mkdirSync(sprung);
  // trap NAME: leaves a file of that name, then acts as a filter that changes nothing.
  writeFileSync(join(dataDir, 'trap'), `#!/bin/sh\ntouch ${sprung}/$1\nexec cat "\${2:--}"\n`, { mode: 0o755 });
  aRepository(join(dataDir, 'repositories'), 'tenant', 'team/owls');
  // The agent is a shell that runs the task.
  runtime = new ProcessRuntime(dataDir, { ...scripted(join(dataDir, 'repositories')), command: ['sh'] as never });
});
afterEach(async () => {
  await runtime.endStrays();
  rmSync(dataDir, { recursive: true, force: true });
});

async function run(workspace: typeof mine, script: string): Promise<TurnOutcome> {
  const listener = { onBegin: async () => {}, onLine: () => true, onReport: () => {} };
  const begin = `set -e; trap=${join(dataDir, 'trap')}; common=$(git rev-parse --git-common-dir)`;
  return runtime.run(aTurn(`${begin}\n${script}`, workspace), listener, new AbortController().signal);
}

/** Runs commands with an ordinary git, which proves that the traps work. Returns the traps that were sprung. */
function runUnprotected(workspace: typeof mine, ...commands: string[]): string[] {
  const cwd = join(dataDir, 'workspaces', workspace.workspace_id, workspace.workspace_id);
  for (const command of commands)
    try {
      execFileSync('sh', ['-c', command], { cwd, stdio: ['ignore', 'ignore', 'ignore'] });
    } catch {
      // Some traps make git fail.
    }
  return readdirSync(sprung).sort();
}

/** Runs later turns here and elsewhere, recreates a workspace, and removes one. */
async function runLaterTurns(): Promise<void> {
  const change = 'for each in c i w p s t e n.c; do echo $$ >> a.$each; done';
  expect(await run(mine, change)).toMatchObject({ error: null, changes: { files: expect.any(Array) } });
  expect(await runtime.problemOf({ scope: mine.scope, repo: 'team/owls', base: mine.work_branch })).toBeNull();
  const derived = { ...other, base: `refs/heads/${mine.work_branch}` };
  expect(await run(derived, change)).toMatchObject({ error: null, changes: { files: expect.any(Array) } });
  rmSync(join(dataDir, 'workspaces', other.workspace_id), { recursive: true });
  expect(await run(derived, change)).toMatchObject({ error: null, changes: { files: expect.any(Array) } });
  const removed = workspaceOf('7f000000-0000-4000-8000-00000000000c');
  await run(removed, change);
  await runtime.remove(removed);
}

const plantConfig = `
  set_key() { git config --file "$1" "$2" "$3"; }
  set_key "$common/config" filter.evil.clean "$trap clean"
  set_key "$common/config" filter.evil.smudge "$trap smudge"
  set_key "$common/config" filter.server.process "$trap process"
  set_key "$common/config" diff.evil.textconv "$trap textconv"
  set_key "$common/config" diff.outside.command "$trap diff-command"
  set_key "$common/config" merge.evil.driver "$trap merge"
  set_key "$common/config" include.path "$common/included"
  set_key "$common/included" filter.included.clean "$trap include"
  set_key "$common/config" extensions.worktreeConfig true
  set_key "$(git rev-parse --git-dir)/config.worktree" filter.worktree.clean "$trap worktree-config"
  set_key "$common/config" commit.gpgSign true
  set_key "$common/config" gpg.program "$common/gpg"; printf '#!/bin/sh\\nexec %s gpg\\n' "$trap" > "$common/gpg"; chmod +x "$common/gpg"
  set_key "$common/config" core.pager "$trap pager"
  set_key "$common/config" core.editor "$trap editor"
  set_key "$common/config" credential.helper "!$trap credential"
  set_key "$common/config" alias.add "!$trap alias"
  set_key "$common/config" uploadpack.packObjectsHook "$trap pack-objects"
  mkdir -p "$common/hooks" "$common/info"
  for hook in post-checkout pre-commit commit-msg post-commit reference-transaction post-index-change pre-auto-gc post-merge; do
    printf '#!/bin/sh\\nexec %s hook < /dev/null\\n' "$trap" > "$common/hooks/$hook"; chmod +x "$common/hooks/$hook"
  done
  set_key "$common/config" core.fsmonitor "$trap fsmonitor"
  printf '%s\\n' '*.c filter=evil' '*.i filter=included' '*.w filter=worktree' '*.p filter=server' '*.t diff=evil' '*.e diff=outside' \\
    '* merge=evil' > .gitattributes
  cp .gitattributes "$common/info/attributes"
  for each in c i w p s t e; do echo text > a.$each; done
`;

it('filters, drivers, hooks, monitors and includes of a repository are not run', async () => {
  const planted = await run(mine, plantConfig);
  expect([planted.error, planted.changes?.files.length]).toEqual([null, 8]);
  expect(readdirSync(sprung)).toEqual([]);
  await runLaterTurns();
  expect(readdirSync(sprung)).toEqual([]);
  const all = ['touch a.*; for each in a.*; do echo more >> $each; done; git add --all', 'rm a.c; git checkout -- a.c', 'git diff HEAD~1'];
  expect(runUnprotected(mine, ...all, 'git commit --allow-empty -m x')).toEqual([
    ...['clean', 'diff-command', 'fsmonitor', 'gpg', 'hook', 'include', 'process', 'smudge', 'textconv', 'worktree-config'],
  ]);
});

it('filters and monitors of a nested repository, or of another one that .git or the common folder leads to, are not run', async () => {
  const nested = `
    git init --quiet nested; cd nested; echo one > a.n.c; echo '*.c filter=evil' > .gitattributes; git add .; git commit --quiet -m first
    git config core.fsmonitor "$trap nested-fsmonitor"; git config filter.evil.clean "$trap nested-clean"; cd ..`;
  expect(await run(mine, nested)).toMatchObject({ error: null, changes: { files: [{ path: 'nested' }] } });
  const elsewhere = `
    git init --quiet --bare ../evil.git; git config --file ../evil.git/config core.fsmonitor "$trap elsewhere"
    git config --file ../evil.git/config core.bare false; mkdir -p ../evil.git/worktrees/x
    echo "$(realpath ../evil.git)" > "$(git rev-parse --git-dir)/commondir"; rm .git; ln -s ../evil.git .git; echo changed >> nested/a.n.c; echo one > b.txt`;
  expect(await run(mine, elsewhere)).toMatchObject({ error: null, changes: { files: [{ path: 'b.txt' }] } });
  expect(await run(mine, 'cd nested; touch a.n.c; echo two >> a.n.c')).toMatchObject({ error: null, changes: null });
  await runLaterTurns();
  expect(readdirSync(sprung)).toEqual([]);
  expect(runUnprotected(mine, 'git status', 'cd nested; echo >> a.n.c; git add .')).toEqual([
    'elsewhere',
    'nested-clean',
    'nested-fsmonitor',
  ]);
});

it('programs that would fetch missing commits are not run', async () => {
  const lacking = `
    echo one > a.txt; git add a.txt; blob=$(git rev-parse :a.txt); rm -f "$common/objects/$(echo $blob | cut -c1-2)/$(echo $blob | cut -c3-)"
    git update-ref refs/heads/lacking $(git commit-tree $(git write-tree --missing-ok) -m lacking)
    git config protocol.ext.allow always; git config protocol.file.allow always
    git config core.repositoryFormatVersion 1; git config extensions.partialClone evil; git config remote.evil.promisor true
    git config remote.evil.url "ext::$trap fetch /dev/null"; rm a.txt`;
  expect((await run(mine, lacking)).error).toBeNull();
  await expect(run({ ...other, base: 'refs/heads/lacking' }, 'echo')).rejects.toThrow('unable to read');
  expect(readdirSync(sprung)).toEqual([]);
  expect(runUnprotected(mine, 'git checkout lacking')).toEqual(['fetch']);
});

it('settings and hooks written into the git folder of the gateway are not run', async () => {
  const intruding = `
    own="$(dirname "$(dirname "$GLASSHOUSE_WORKSPACE_FOLDER")")/worker-git/${mine.workspace_id}"; test -f "$own/config"
    git config --file "$own/config" filter.evil.clean "$trap own-clean"; git config --file "$own/config" core.fsmonitor "$trap own-fsmonitor"
    cp "$own/config" "$own/config.worktree"; echo "$common" > "$own/commondir"; echo broken > "$own/index"
    mkdir "$own/hooks"; cp "$trap" "$own/hooks/post-index-change"; echo '* filter=evil' > .gitattributes; echo one > a.txt`;
  expect(await run(mine, intruding)).toMatchObject({ error: null, changes: { files: [{ path: '.gitattributes' }, { path: 'a.txt' }] } });
  await runLaterTurns();
  expect(readdirSync(sprung)).toEqual([]);
});
