/**
 * Runs agents as processes on this machine, each in a git worktree of its own. An agent gets environment variables of its own, its workspace and
 * its run key, and no secret of the gateway; the kernel contains its processes (`containment.ts`). This is no security boundary: the agent
 * runs as the gateway's user, with access to network and disk. Untrusted tasks need a runtime that is one.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentReport } from '../../control/agent-run-queue.ts';
import type { AgentChanges, AgentRun } from '../../control/agent-run-store.ts';
import type { AgentRuntime, Origin, Turn, TurnListener, TurnOutcome, Workspace } from '../agent-runtime.ts';
import { type AgentCommand, argumentsOf } from './agent-command.ts';
import { type AgentEnd, type Limits, runAgent } from './agent-process.ts';
import { AgentReportReader } from './agent-report.ts';
import { DiskLimitExceeded } from './agent-watch.ts';
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
  /** Cost limit of each turn in US dollars; null for none. */
  costMax: number | null;
  /** Environment variables of the gateway that agents get too. */
  passedVariables: Readonly<Record<string, string>>;
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
    if (repo === null) return base === null ? null : { part: 'base', problem: 'needs a repo' };
    const repository = await this.#repositories.find(scope, repo);
    if (repository === null) return { part: 'repo', problem: 'is not a repository that workers can use' };
    const commit = await this.#commitOf(repository, base ?? 'HEAD');
    return commit === null ? { part: 'base', problem: 'is not in the repository' } : null;
  }

  async run(turn: Turn, listener: TurnListener, signal: AbortSignal): Promise<TurnOutcome> {
    const { diskBytes } = this.#settings.limits;
    const files = await this.#filesOf(turn);
    const commit = await files.prepare();
    await listener.onBegin(commit);
    const report = new AgentReportReader();
    const end = await this.#runAgent(turn, files, report, listener, signal);
    // It may have exceeded the limit between two checks.
    const isOverDisk = end.error instanceof DiskLimitExceeded || (await diskUse(files.folder, diskBytes)) > diskBytes;
    if (isOverDisk) {
      // Its home is removed too, with the conversation that the next turn would resume.
      await files.reset();
      listener.onReport({ session: null });
    }
    const error = isOverDisk ? new DiskLimitExceeded(diskBytes).message : errorOf(end, report);
    const changes = await files.checkpoint(commit, messageOf(turn.run, error ?? 'succeeded'));
    return { error, result: report.result, changes };
  }

  async checkpoint(workspace: Workspace, run: AgentRun, since: string): Promise<AgentChanges | null> {
    const files = await this.#filesOf(workspace);
    await files.prepare();
    return files.checkpoint(since, messageOf(run, 'interrupted'));
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

  /** Null when the repository has no such commit. */
  async #commitOf(repository: string, name: string): Promise<string | null> {
    await mkdir(this.#gitFolders, { recursive: true, mode: 0o700 });
    const gitDir = await mkdtemp(join(this.#gitFolders, 'lookup-'));
    try {
      await layOutGitFolder(gitDir, repository);
      return await commitOf({ gitDir }, name);
    } finally {
      await rm(gitDir, { recursive: true, force: true });
    }
  }

  async #runAgent(
    turn: Turn,
    files: WorkspaceFiles,
    report: AgentReportReader,
    listener: TurnListener,
    signal: AbortSignal,
  ): Promise<AgentEnd> {
    const { command, costMax, limits } = this.#settings;
    const taskFiles = await writeTask(files, turn);
    const overBudget = new AbortController();
    const maxUsd = Math.min(costMax ?? Number.POSITIVE_INFINITY, turn.max_cost_usd ?? Number.POSITIVE_INFINITY);
    const onReport = (changes: Partial<AgentReport>) => {
      if (changes.session !== undefined || changes.cost_usd !== undefined) listener.onReport(changes);
      if ((report.costUsd ?? 0) > maxUsd) overBudget.abort(new Error(`The turn cost ${report.costUsd} US dollars, and may cost ${maxUsd}`));
    };
    const reader = { ...readerOf(report, listener, onReport), share: this.#share };
    const values = { ...taskFiles, workspace: files.files, session: turn.session, model: turn.model };
    const [program, ...args] = argumentsOf(command, values) as [string, ...string[]];
    const env = this.#environmentOf(turn, files, taskFiles);
    const { launcher } = await this.containment();
    const start = { launcher, argv: [program, ...args] as const, folder: files.folder, cwd: files.files, env, input: turn.run.task_prompt };
    return runAgent(start, limits, reader, AbortSignal.any([signal, overBudget.signal]));
  }

  #environmentOf(turn: Turn, files: WorkspaceFiles, taskFiles: { prompt_file: string; thread_file: string }): Record<string, string> {
    return {
      ...{ PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: files.home, TMPDIR: files.home, LANG: 'C.UTF-8' },
      ...gitForAgents,
      ...this.#settings.passedVariables,
      ...turn.variables,
      GLASSHOUSE_RUN_ID: turn.run.run_id,
      GLASSHOUSE_TURN_INDEX: String(turn.run.turn_index),
      GLASSHOUSE_PROMPT_FILE: taskFiles.prompt_file,
      GLASSHOUSE_THREAD_FILE: taskFiles.thread_file,
      ...(turn.session === null ? {} : { GLASSHOUSE_SESSION: turn.session }),
      ...(turn.model === null ? {} : { GLASSHOUSE_MODEL: turn.model }),
      [markVariable]: files.folder,
    };
  }
}

/** Passes on printed lines until no more are wanted; reads reported values to the end. */
function readerOf(report: AgentReportReader, { onLine: show }: TurnListener, onReport: (changes: Partial<AgentReport>) => void) {
  let wantsLines = true;
  const onLine = (stream: 'stdout' | 'stderr', line: Buffer) => {
    const isShown = wantsLines;
    if (isShown) wantsLines = show(stream, shownText(line));
    if (stream === 'stdout') onReport(report.read(line, isShown));
  };
  return { wantsAll: () => wantsLines, onLine };
}

/** Writes the task, and the conversation so far for agents that do not store it themselves. */
async function writeTask(files: WorkspaceFiles, { run, thread, metadata }: Turn) {
  const folder = join(files.folder, 'task');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const taskFiles = { prompt_file: join(folder, 'prompt.txt'), thread_file: join(folder, 'thread.json') };
  const turns = thread.map(({ turn_index, status, task_prompt, result, error, checkpoint }) => ({
    ...{ turn_index, status, task_prompt, result, error, commit_sha: checkpoint?.commit_sha ?? null },
  }));
  await writeFile(taskFiles.prompt_file, run.task_prompt);
  await writeFile(taskFiles.thread_file, `${JSON.stringify({ turns, metadata }, null, 2)}\n`);
  return taskFiles;
}

function errorOf({ exitCode, error }: AgentEnd, report: AgentReportReader): string | null {
  if (error) return error.message;
  if (exitCode !== 0) return exitCode === null ? 'The agent was ended by a signal' : `The agent ended with exit code ${exitCode}`;
  return report.isError ? 'The agent reported a failure' : null;
}

const messageOf = ({ turn_index, task_prompt, run_id }: AgentRun, outcome: string): string =>
  `Turn ${turn_index}: ${task_prompt.trim().split('\n')[0]?.slice(0, subjectChars).toWellFormed() ?? ''}\n\n${outcome}\n\nRun: ${run_id}\n`;
