/**
 * Runs agents as processes on this machine, each in a git worktree of its own. An agent gets an environment made for it, its workspace and
 * its run key, and no secret of the gateway; the kernel contains its processes (`containment.ts`). This is no security boundary: the agent
 * runs as the gateway's user, with access to network and disk. To run tasks of strangers, use a runtime that is one.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentWords } from '../../control/agent-run-queue.ts';
import type { AgentChanges, AgentRun } from '../../control/agent-run-store.ts';
import type { AgentRuntime, Origin, Turn, TurnListener, TurnOutcome, Workspace } from '../agent-runtime.ts';
import { type AgentCommand, argumentsOf } from './agent-command.ts';
import { type AgentEnd, type Limits, runAgent } from './agent-process.ts';
import { DiskSpent } from './agent-watch.ts';
import { HeardWords } from './agent-words.ts';
import { type Containment, findContainment, type Isolation } from './containment.ts';
import { diskUse } from './disk-use.ts';
import { commitOf, gitForAgents } from './git.ts';
import { LoopShare } from './loop-share.ts';
import { endMarked, markVariable } from './marked-processes.ts';
import { layOutGitFolder } from './own-git-folder.ts';
import { Repositories } from './repositories.ts';
import { shownText } from './terminal-text.ts';
import { WorkspaceFiles } from './workspace-files.ts';

export interface ProcessRuntimeSettings {
  command: AgentCommand;
  /** Parent folder of the repositories; null for none. */
  repositories: string | null;
  /** Limit of each turn in US dollars; null for none. */
  costMax: number | null;
  /** Variables of the gateway's environment that agents get. */
  passed: Readonly<Record<string, string>>;
  limits: Limits;
  /** Whether containment is used. */
  isolation: Isolation;
}

const subjectChars = 72;

export class ProcessRuntime implements AgentRuntime {
  readonly #root: string;
  readonly #gitFolders: string;
  readonly #settings: ProcessRuntimeSettings;
  readonly #repositories: Repositories;
  readonly #share = new LoopShare();
  #containment: Promise<Containment> | null = null;

  constructor(dataDir: string, settings: ProcessRuntimeSettings) {
    this.#root = join(dataDir, 'workspaces');
    this.#gitFolders = join(dataDir, 'worker-git');
    this.#settings = settings;
    this.#repositories = new Repositories(settings.repositories);
  }

  /** Containment on this machine. */
  containment(): Promise<Containment> {
    this.#containment ??= findContainment(this.#settings.isolation, this.#settings.limits);
    return this.#containment;
  }

  async problemOf({ scope, repo, base }: Origin): Promise<{ part: 'repo' | 'base'; problem: string } | null> {
    if (repo === null) return base === null ? null : { part: 'base', problem: 'is of no use without a repo' };
    const repository = await this.#repositories.find(scope, repo);
    if (repository === null) return { part: 'repo', problem: 'is no repository that workers can use' };
    const commit = await this.#commitOf(repository, base ?? 'HEAD');
    return commit === null ? { part: 'base', problem: 'is not in the repository' } : null;
  }

  async run(turn: Turn, listener: TurnListener, signal: AbortSignal): Promise<TurnOutcome> {
    const { diskBytes } = this.#settings.limits;
    const files = await this.#filesOf(turn);
    const commit = await files.prepare();
    await listener.onBegin(commit);
    const words = new HeardWords();
    const end = await this.#runAgent(turn, files, words, listener, signal);
    // It may have exceeded the limit between two checks.
    const isSpent = end.error instanceof DiskSpent || (await diskUse(files.folder, diskBytes)) > diskBytes;
    if (isSpent) {
      // Its home is removed too, with the conversation that the next turn would resume.
      await files.reset();
      listener.onWords({ session: null });
    }
    const error = isSpent ? new DiskSpent(diskBytes).message : errorOf(end, words);
    const changes = await files.checkpoint(commit, messageOf(turn.run, error ?? 'succeeded'));
    return { error, result: words.result, changes };
  }

  async checkpoint(workspace: Workspace, run: AgentRun, since: string): Promise<AgentChanges | null> {
    const files = await this.#filesOf(workspace);
    await files.prepare();
    return files.checkpoint(since, messageOf(run, 'cut off'));
  }

  async remove(workspace: Workspace): Promise<void> {
    const files = await this.#filesOf(workspace);
    await files.remove();
  }

  async keepOnly(workspaceIds: ReadonlySet<string>): Promise<void> {
    // Repositories forget their removed worktrees when they get the next one.
    for (const folder of [this.#root, this.#gitFolders]) {
      const names = await readdir(folder).catch((): string[] => []);
      const unwanted = names.filter((name) => !workspaceIds.has(name));
      await Promise.all(unwanted.map((name) => rm(join(folder, name), { recursive: true, force: true })));
    }
  }

  endStrays(): Promise<void> {
    return endMarked(this.#root);
  }

  async #filesOf({ scope, workspace_id: name, repo, work_branch: branch, base }: Workspace): Promise<WorkspaceFiles> {
    const repository = repo === null ? null : await this.#repositories.find(scope, repo);
    if (repo !== null && repository === null) throw new Error(`${repo} is not available to workers`);
    const gitFolder = join(this.#gitFolders, name);
    return new WorkspaceFiles({ folder: join(this.#root, name), name, gitFolder, repository, branch, base });
  }

  /** Null when the repository has none of that name. */
  async #commitOf(repository: string, name: string): Promise<string | null> {
    await mkdir(this.#gitFolders, { recursive: true, mode: 0o700 });
    const gitDir = await mkdtemp(join(this.#gitFolders, 'asked-'));
    try {
      await layOutGitFolder(gitDir, repository);
      return await commitOf({ gitDir }, name);
    } finally {
      await rm(gitDir, { recursive: true, force: true });
    }
  }

  async #runAgent(turn: Turn, files: WorkspaceFiles, words: HeardWords, listener: TurnListener, signal: AbortSignal): Promise<AgentEnd> {
    const { command, costMax, limits } = this.#settings;
    const told = await writeTask(files, turn);
    const tooDear = new AbortController();
    const most = Math.min(costMax ?? Number.POSITIVE_INFINITY, turn.max_cost_usd ?? Number.POSITIVE_INFINITY);
    const onWords = (said: Partial<AgentWords>) => {
      if (said.session !== undefined || said.cost_usd !== undefined) listener.onWords(said);
      if ((words.costUsd ?? 0) > most) tooDear.abort(new Error(`The turn cost ${words.costUsd} US dollars, and may cost ${most}`));
    };
    const reader = { ...readerOf(words, listener, onWords), share: this.#share };
    const values = { ...told, workspace: files.files, session: turn.session, model: turn.model };
    const [program, ...args] = argumentsOf(command, values) as [string, ...string[]];
    const env = this.#environmentOf(turn, files, told);
    const { launcher } = await this.containment();
    const start = { launcher, argv: [program, ...args] as const, folder: files.folder, cwd: files.files, env, input: turn.run.task_prompt };
    return runAgent(start, limits, reader, AbortSignal.any([signal, tooDear.signal]));
  }

  #environmentOf(turn: Turn, files: WorkspaceFiles, told: { prompt_file: string; thread_file: string }): Record<string, string> {
    return {
      ...{ PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: files.home, TMPDIR: files.home, LANG: 'C.UTF-8' },
      ...gitForAgents,
      ...this.#settings.passed,
      ...turn.variables,
      GLASSHOUSE_RUN_ID: turn.run.run_id,
      GLASSHOUSE_TURN_INDEX: String(turn.run.turn_index),
      GLASSHOUSE_PROMPT_FILE: told.prompt_file,
      GLASSHOUSE_THREAD_FILE: told.thread_file,
      ...(turn.session === null ? {} : { GLASSHOUSE_SESSION: turn.session }),
      ...(turn.model === null ? {} : { GLASSHOUSE_MODEL: turn.model }),
      [markVariable]: files.folder,
    };
  }
}

/** Stores printed lines up to the limit; reads reported values to the end. */
function readerOf(words: HeardWords, { onLine: show }: TurnListener, onWords: (said: Partial<AgentWords>) => void) {
  let isKept = true;
  const onLine = (stream: 'stdout' | 'stderr', line: Buffer) => {
    const isShown = isKept;
    if (isShown) isKept = show(stream, shownText(line));
    if (stream === 'stdout') onWords(words.hear(line, isShown));
  };
  return { wantsAll: () => isKept, onLine };
}

/** The task, and the conversation so far, for agents that do not keep one themselves. */
async function writeTask(files: WorkspaceFiles, { run, thread, metadata }: Turn) {
  const folder = join(files.folder, 'task');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const told = { prompt_file: join(folder, 'prompt.txt'), thread_file: join(folder, 'thread.json') };
  const turns = thread.map(({ turn_index, status, task_prompt, result, error, checkpoint }) => ({
    ...{ turn_index, status, task_prompt, result, error, commit_sha: checkpoint?.commit_sha ?? null },
  }));
  await writeFile(told.prompt_file, run.task_prompt);
  await writeFile(told.thread_file, `${JSON.stringify({ turns, metadata }, null, 2)}\n`);
  return told;
}

function errorOf({ exitCode, error }: AgentEnd, words: HeardWords): string | null {
  if (error) return error.message;
  if (exitCode !== 0) return exitCode === null ? 'The agent was ended by a signal' : `The agent ended with exit code ${exitCode}`;
  return words.isError ? 'The agent says that it failed' : null;
}

const messageOf = ({ turn_index, task_prompt, run_id }: AgentRun, ended: string): string =>
  `Turn ${turn_index}: ${task_prompt.trim().split('\n')[0]?.slice(0, subjectChars).toWellFormed() ?? ''}\n\n${ended}\n\nRun: ${run_id}\n`;
